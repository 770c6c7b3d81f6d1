"""What the code of a random kernel is about: types, names, accumulators, variables, holes."""

POOL = {
    "f": ["x", "y", "z", "r"],
    "u": ["a", "b", "d", "e"],
    "i": ["k", "m", "q"],
    "v": ["va", "vb", "vd"],
    "h": ["ha", "hb"],
    "p": ["pa", "pb"],
    "R": ["ra", "rb"],
    "b": ["ba", "bb"],
}
SPELLED = {
    "f": "float",
    "u": "unsigned",
    "i": "int",
    "v": "f4",
    "h": "_Float16",
    "p": "const float *",
    "R": "pt",
    "b": "bool",
    "w": "u4",
}
FLOATS = ["0.5f", "1.25f", "-0.75f", "2.0f", "-1.0f", "0.0625f", "3.0f"]
UINTS = ["1u", "3u", "7u", "0x55u", "1000003u", "12u"]


def declare(ty, name):
    return SPELLED[ty] + ("" if ty == "p" else " ") + name


class Acc:
    """An accumulator: how it is declared, passed, reached and indexed."""

    # kinds that are arrays may be reached by another name or object
    REACHED = ("array", "pointer", "reference", "span", "grid", "counted")

    def __init__(self, name, kind, prefix, reached="array"):
        self.name, self.kind, self.reached = name, kind, reached
        table = {
            "v8": ("f4", "[8]", "v", 8),
            "v4": ("f4", "[4]", "v", 4),
            "v6": ("f4", "[6]", "v", 6),
            "f24": ("float", "[24]", "f", 24),
            "u20": ("unsigned", "[20]", "u", 20),
            "h32": ("_Float16", "[32]", "h", 32),
            "w6": ("u4", "[6]", "w", 6),
            "f16": ("f16", "", "f", 16),
            "s": (prefix + "tile", "", "v", 6),
            "c": (prefix + "Tile<float, 24>", "", "f", 24),
        }
        self.base, self.extent, self.elem, self.n = table[kind]
        self.member = {"s": ".v", "c": ".ev"}.get(kind, "")

    def decl(self):
        own = f"{self.base} own_{self.name}{self.extent}; "
        return {
            "array": f"{self.base} {self.name}{self.extent}",
            "pointer": f"{own}{self.base} *{self.name} = own_{self.name}",
            "reference": f"{own}{self.base} (&{self.name}){self.extent} = own_{self.name}",
            "span": f"{own}span<{self.base}> {self.name}(own_{self.name}, {self.n})",
            "grid": f"grid<{self.base}, {self.n}> {self.name}",
            "counted": f"counted<{self.base}, {self.n}> {self.name}",
        }[self.reached]

    def param(self, name):
        if self.reached == "pointer":
            return f"{self.base} *{name}"
        if self.reached == "span":
            return f"span<{self.base}> {name}"
        if self.reached in ("grid", "counted"):
            return f"{self.reached}<{self.base}, {self.n}> &{name}"
        return f"{self.base} (&{name}){self.extent}" if self.extent else f"{self.base} &{name}"

    def at(self, index, name=None):
        return f"{name or self.name}{self.member}[{index}]"

    @property
    def whole(self):
        return self.name + self.member

    @property
    def is_array(self):
        return self.kind != "f16"

    @property
    def is_range(self):
        return self.is_array and self.reached != "pointer"


class Var:
    def __init__(self, name, ty, mutable):
        self.name, self.ty, self.mutable = name, ty, mutable


class Hole:
    def __init__(self, ty, banned, inner, guarded):
        self.ty, self.banned, self.inner, self.guarded = ty, banned, inner, guarded
