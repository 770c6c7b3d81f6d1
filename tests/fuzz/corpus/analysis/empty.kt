(unit target="gfx90a")
