"""What the first bytes of a program say: its kind, the processors it is built for, and the loader it needs.

Nothing is run. Unknown bytes give a header of an unknown kind, never an error.
"""

from __future__ import annotations

from pisces.value import Value

ENOUGH = 4096  # bytes from the start of a file; a loader's name beyond them stays unknown

ELF, MACH_O, PE, SCRIPT, TEXT, UNKNOWN, EMPTY = "elf", "mach-o", "pe", "script", "text", "unknown", "empty"

_LONGEST_SHEBANG = 256  # Linux cuts a longer line
_ELF_MACHINES = {3: "ia32", 8: "mips", 20: "ppc", 21: "ppc64", 40: "arm", 62: "x64", 183: "arm64", 258: "loong64"}
_PE_MACHINES = {0x14C: "ia32", 0x8664: "x64", 0xAA64: "arm64", 0x1C0: "arm", 0x1C4: "arm"}
_MACH_MACHINES = {7: "ia32", 0x01000007: "x64", 12: "arm", 0x0100000C: "arm64", 18: "ppc", 0x01000012: "ppc64"}
_MACH_MAGIC = {
    b"\xce\xfa\xed\xfe": "little",
    b"\xcf\xfa\xed\xfe": "little",
    b"\xfe\xed\xfa\xce": "big",
    b"\xfe\xed\xfa\xcf": "big",
}
_FAT_MAGIC = {b"\xca\xfe\xba\xbe": 20, b"\xca\xfe\xba\xbf": 32}
_MOST_SLICES = 20  # a Java class has the same magic number as a fat Mach-O, and a larger count
_NEEDS_LOADER = 3
_MARK = b"\xef\xbb\xbf"


class Header(Value):
    """`arches` has Node's names, empty where they are not known.

    `loader` is the dynamic loader that an ELF program asks for. `interpreter` has the words of a script's first line;
    `flaw` says what is wrong with that line: "crlf", "mark" (a byte order mark before it) or "empty".
    """

    kind: str
    arches: tuple[str, ...] = ()
    loader: str = ""
    interpreter: tuple[str, ...] = ()
    flaw: str = ""


def program_header(start: bytes) -> Header:
    """The header of a file that begins with these bytes."""
    if start[:2] == b"#!":
        return _script(start)
    if start[:4] == b"\x7fELF":
        return _elf(start)
    if start[:4] in _MACH_MAGIC or start[:4] in _FAT_MAGIC:
        return _mach_o(start)
    if start[:2] == b"MZ":
        return Header(PE, _pe_arches(start))
    if start[:5] == _MARK + b"#!":
        return Header(TEXT, flaw="mark")
    return Header(EMPTY if not start else UNKNOWN if b"\0" in start else TEXT)


def _script(start: bytes) -> Header:
    """The kernel takes the first word as the program and the rest of the line as one argument."""
    line = start[2:_LONGEST_SHEBANG].split(b"\n", 1)[0]
    words = tuple(word.decode("utf-8", "surrogateescape") for word in line.strip(b" \t\r").split(None, 1))
    flaw = "crlf" if line.endswith(b"\r") else "" if words else "empty"
    return Header(SCRIPT, interpreter=words, flaw=flaw)


def _elf(start: bytes) -> Header:
    wide, order = start[4:5] == b"\x02", "big" if start[5:6] == b"\x02" else "little"
    machine = _number(start, 18, 2, order)
    return Header(ELF, _elf_arches(machine, order, wide=wide), _loader(start, order, wide=wide))


def _elf_arches(machine: int, order: str, *, wide: bool) -> tuple[str, ...]:
    if machine == 22:
        return ("s390x" if wide else "s390",)
    if machine == 243:
        return ("riscv64" if wide else "riscv32",)
    if machine == 8 and order == "little":
        return ("mips64el" if wide else "mipsel",)
    found = _ELF_MACHINES.get(machine)
    return (found,) if found else ()


def _loader(start: bytes, order: str, *, wide: bool) -> str:
    """The path in the first program header of the kind PT_INTERP."""
    table = _number(start, 32, 8, order) if wide else _number(start, 28, 4, order)
    size, count = _number(start, 54 if wide else 42, 2, order), _number(start, 56 if wide else 44, 2, order)
    for number in range(min(count, 64)):
        entry = table + number * size
        if _number(start, entry, 4, order) != _NEEDS_LOADER:
            continue
        at, length = (8, 32) if wide else (4, 16)
        width = 8 if wide else 4
        offset, end = _number(start, entry + at, width, order), _number(start, entry + length, width, order)
        return start[offset : offset + end].rstrip(b"\0").decode("utf-8", "surrogateescape")
    return ""


def _mach_o(start: bytes) -> Header:
    size = _FAT_MAGIC.get(start[:4])
    if size is None:
        machine = _number(start, 4, 4, _MACH_MAGIC[start[:4]])
        return Header(MACH_O, tuple(filter(None, (_MACH_MACHINES.get(machine),))))
    count = _number(start, 4, 4, "big")
    if not 0 < count < _MOST_SLICES:
        return Header(UNKNOWN)
    machines = (_number(start, 8 + size * number, 4, "big") for number in range(count))
    return Header(MACH_O, tuple(_MACH_MACHINES[machine] for machine in machines if machine in _MACH_MACHINES))


def _pe_arches(start: bytes) -> tuple[str, ...]:
    at = _number(start, 0x3C, 4, "little")
    machine = _PE_MACHINES.get(_number(start, at + 4, 2, "little"))
    return (machine,) if machine and start[at : at + 4] == b"PE\0\0" else ()


def _number(start: bytes, at: int, size: int, order: str) -> int:
    return int.from_bytes(start[at : at + size], "big" if order == "big" else "little")
