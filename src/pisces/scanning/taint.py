"""Which names of a program hold what came from the network: from assignment to assignment, and through calls.

This is light on purpose: no scopes, no branches. A name that held it once holds it in the whole file.
"""

from __future__ import annotations

import re

from pisces.scanning.page import Page
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ASSIGNED = re.compile(
    r"(?:^|[;{(]|=>)\s{0,200}(?:(?:export|const|let|var|async|await|my|our|local)\s{1,4}|\$){0,3}"
    r"(?P<names>[\w$.]{1,60}(?:\s{0,4},\s{0,4}\w{1,40}){0,4}|[\[{(][\w$.,:\s]{1,120}[\]})])"
    r"(?:\s{0,4}:\s{0,4}[\w.\[\]<>|, ]{1,60}?)?\s{0,4}[+|?]{0,2}=(?![=>])"
    # A semicolon inside of quotes ends no statement: "data:text/javascript;base64,"
    r"(?P<value>[^;\n]{1,1000}(?:;[\w,-]{1,40}[\"'`][^;\n]{0,500})?)"
)
_AS = re.compile(r"\bas\s{1,4}(?P<name>\w{1,60})\s{0,4}[,:)]")
_PARAMETERS = re.compile(r"(?:\(\s{0,9}(?P<several>[\w$,{}: ]{1,80})\)|(?<![\w$.])(?P<one>[\w$]{1,40}))\s{0,4}=>")
_LISTENER = re.compile(r"\bfunction\s{0,4}\w{0,40}\((?P<several>[\w$,{}: ]{1,80})\)\s{0,4}\{")
_LOOP = re.compile(
    r"\bfor\s{1,4}(?:await\s{0,4})?\(?\s{0,4}(?:(?:const|let|var)\s)?(?P<name>\w{1,40})\s{1,4}(?:in|of)\b"
)
_DEFINED = re.compile(
    r"(?:\bdef\s{1,4}|\bfunction\s{1,4})(?P<name>\w{1,60})\s{0,4}\((?P<parameters>[^()\n]{0,160})"
    r"|\b(?:const|let|var)\s{1,4}(?P<arrow>\w{1,60})\s{0,4}=\s{0,4}(?:async\s{0,4})?"
    r"(?:\((?P<arguments>[^()\n]{0,160})\)|(?P<argument>\w{1,40}))\s{0,4}=>"
)
_CALL = re.compile(r"(?<![\w.$])(?P<name>[A-Za-z_]\w{0,60})\((?P<arguments>[^\n]{0,300})")
_RETURNED = re.compile(r"\breturn\b(?P<value>[^\n]{0,1000})")
# What is written into a file makes the name of the file one that leads to it.
_STORED = re.compile(
    r"\b(?:writeFile(?:Sync)?|Bun\.write|Deno\.write\w{0,9}|createWriteStream|(?<![.\w])open|urlretrieve|copyfileobj)"
    r"\(\s{0,40}(?P<arguments>[^\n]{1,300})"
)
_RETRIEVED = re.compile(
    r"\b(?:urlretrieve|wget\.download|download_?(?:file|to))\([^,\n]{1,200},\s{0,40}(?P<file>\w{1,40})\b", re.I
)
_HANDLE_WRITTEN = re.compile(r"\b(?P<file>f|fp|fh|tmp|temp|handle|out|file)\.write\(")
_PATH_WRITTEN = re.compile(r"(?P<file>\w{1,40})\.write_(?:bytes|text)\(")
_HANDLE = re.compile(
    r"\b(?:open|createWriteStream)\(\s{0,40}(?P<file>\w{1,40})\b[^\n()]{0,80}\)\s{0,4}as\s{1,4}(?P<handle>\w{1,40})"
    r"|\b(?P<name>\w{1,40})\s{0,4}=\s{0,4}(?:await\s{1,4})?[\w.]{0,20}(?:open|createWriteStream)\(\s{0,40}(?P<path>\w{1,40})"
)
_TEMPORARY = re.compile(r"\b(?P<handle>\w{1,40})\s{0,4},\s{0,4}(?P<file>\w{1,40})\s{0,4}=\s{0,4}[\w.]{0,20}mkstemp\(")
_FILLS = re.compile(r"\bos\.write\(|\.write(?:lines)?\(|\bpipe(?:line|To)?\(|copyfileobj\(")
_NAME = re.compile(r"[A-Za-z_]\w{0,60}")
_NOT_NAMES = frozenset(
    "self this const let var await async with return string number any str int dict list none true false".split()
)
_COMMON = frozenset("data text content e err error".split())
_CONTINUES = ("(", "[", ",", "({", "\\", "&&", "||", "+")
_LONGEST_LINE = 2000
_MOST_LINES = 20_000
_MOST_JOINED = 12
_ROUNDS = 3


class Statement(Value):
    """Lines that belong together, as one of the same length; `offset` is its place in the page."""

    offset: int
    text: str
    words: frozenset[str]
    takes: bool


class NetworkFlow(Value):
    """`names` hold what came from the network."""

    statements: tuple[Statement, ...]
    names: frozenset[str]


def flow_of(page: Page, source: re.Pattern[str]) -> NetworkFlow:
    statements = tuple(_statements(page.text, source))
    functions, handles = _functions(statements), _handles(statements)
    names: set[str] = {found["file"] for each in statements if each.takes for found in _RETRIEVED.finditer(each.text)}
    for _ in range(_ROUNDS):
        before = len(names)
        _spread(statements, functions, source, names)
        names |= _filled(statements, handles, names)
        if len(names) == before:
            break
    return NetworkFlow(statements, frozenset(names))


def _statements(text: str, source: re.Pattern[str]) -> Iterator[Statement]:
    offset, start = 0, 0
    parts: list[str] = []
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        if parts and not _goes_on(parts, line):
            yield _statement(start, parts, source)
            parts, start = [], offset
        parts.append(line[:_LONGEST_LINE])
        offset += len(line) + 1
    if parts:
        yield _statement(start, parts, source)


def _goes_on(parts: list[str], line: str) -> bool:
    if len(parts) >= _MOST_JOINED or len(parts[-1]) >= _LONGEST_LINE:
        return False
    begins = line.lstrip()[:2]
    return parts[-1].rstrip().endswith(_CONTINUES) or begins[:1] in (")", "]") or (begins[:1] == "." and begins != "..")


def _statement(offset: int, parts: list[str], source: re.Pattern[str]) -> Statement:
    text = " ".join(parts)
    return Statement(offset, text, frozenset(_NAME.findall(text)), source.search(text) is not None)


def _functions(statements: tuple[Statement, ...]) -> dict[str, set[str]]:
    """The parameters of each function."""
    found: dict[str, set[str]] = {}
    for each in statements:
        if "(" not in each.text or not each.words & {"def", "function", "const", "let", "var"}:
            continue
        for one in _DEFINED.finditer(each.text):
            listed = one["parameters"] or one["arguments"] or one["argument"] or ""
            found.setdefault(one["name"] or one["arrow"], set()).update(_names_in(listed))
    return found


def _handles(statements: tuple[Statement, ...]) -> dict[str, str]:
    """The name of the file of each open file."""
    found: dict[str, str] = {}
    for each in statements:
        if "open" in each.words or "createWriteStream" in each.words:
            for one in _HANDLE.finditer(each.text):
                found[one["handle"] or one["name"]] = one["file"] or one["path"]
        if "mkstemp" in each.text:
            found.update({one["handle"]: one["file"] for one in _TEMPORARY.finditer(each.text)})
    return found


def _filled(statements: tuple[Statement, ...], handles: dict[str, str], names: set[str]) -> set[str]:
    """Files into which something is written that came from the network."""
    new: set[str] = set()
    for each in statements:
        if (each.takes or not names.isdisjoint(each.words)) and "(" in each.text:
            new |= {one["file"] for one in _PATH_WRITTEN.finditer(each.text)}
            new |= {one["file"] for one in _HANDLE_WRITTEN.finditer(each.text)}
            open_files = each.words & handles.keys()
            if open_files and _FILLS.search(each.text):
                new |= {handles[name] for name in open_files}
    return new - _NOT_NAMES


def _spread(
    statements: tuple[Statement, ...], functions: dict[str, set[str]], source: re.Pattern[str], names: set[str]
) -> None:
    function = ""
    for each in statements:
        defined = _DEFINED.search(each.text) if each.words & {"def", "function"} else None
        function = (defined["name"] or function) if defined else function
        if not each.takes and names.isdisjoint(each.words):
            continue
        names |= _assigned(each.text, source, names)
        if each.takes:
            names |= bound_here(each.text) - _COMMON
        elif ".then(" in each.text or ".on(" in each.text or _calls_back(each.text, names):
            names |= {
                name for one in _PARAMETERS.finditer(each.text) for name in _names_in(one["several"] or one["one"])
            }
        loop = _LOOP.search(each.text)
        if loop:
            names.add(loop["name"])
        returned = _RETURNED.search(each.text)
        if function and returned and _holds(returned["value"], source, names):
            names.add(function)
        names |= _handed_over(each.text, functions, names)
        names |= _files(each.text, names)


def _calls_back(text: str, names: set[str]) -> bool:
    """Whether a function that fetches is given another one."""
    return "=>" in text and any(each["name"] in names for each in _CALL.finditer(text))


def _holds(text: str, source: re.Pattern[str], names: set[str]) -> bool:
    return not names.isdisjoint(_NAME.findall(text)) or source.search(text) is not None


def _assigned(text: str, source: re.Pattern[str], names: set[str]) -> set[str]:
    new: set[str] = set()
    for each in _ASSIGNED.finditer(text):
        if _holds(each["value"], source, names):
            listed = each["names"]
            parts = _names_in(listed) if listed[0] in "{[(" or "," in listed else {listed.rpartition(".")[2]}
            new |= parts - _NOT_NAMES
    return new


def bound_here(text: str) -> set[str]:
    """Names that a line with a request gives to the answer: of a `with`, of a function that is called back."""
    new = {each["name"] for each in _AS.finditer(text)}
    for pattern in (_PARAMETERS, _LISTENER):
        for each in pattern.finditer(text):
            new |= _names_in(each["several"] or each.groupdict().get("one") or "")
    return new


def _handed_over(text: str, functions: dict[str, set[str]], names: set[str]) -> set[str]:
    new: set[str] = set()
    for each in _CALL.finditer(text) if functions else ():
        if each["name"] in functions and not names.isdisjoint(_NAME.findall(each["arguments"])):
            new |= functions[each["name"]] - _COMMON
    return new


def _files(text: str, names: set[str]) -> set[str]:
    new: set[str] = set()
    for each in _STORED.finditer(text):
        first, _, rest = each["arguments"].partition(",")
        if not names.isdisjoint(_NAME.findall(rest)):
            new |= set(_NAME.findall(first)[:1])
    return new - _COMMON


def _names_in(text: str) -> set[str]:
    return set(_NAME.findall(text)) - _NOT_NAMES
