if (edge) { // NOLINT(unphi-phi-explosion): one launch a day, nobody waits
/* NOLINTNEXTLINE(unphi-*, other-rule): why not */ x = "// NOLINT";
int a; // NOLINT
// NOLINTBEGIN(unphi-phi-explosion): a reason
b();
// NOLINTEND(unphi-phi-explosion)
// NOLINTBEGIN
R"(NOLINT)"; // NOLINT(
// NOLINTNEXTLINE(unphi-phi-explosion)
