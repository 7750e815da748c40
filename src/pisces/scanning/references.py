"""Which files a text names in a way that runs them: a program started, a file sourced, a module imported."""

from __future__ import annotations

import re

from pisces.scanning.roles import SHELL, SOURCE, ending_of, is_code
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.scanning.file_names import FileNames, FilesOnDisk

_SPELLING = re.compile(r"[\w@%+./\\-]{2,200}")
_IMPORT = re.compile(
    r"^[ \t]{0,40}(?:from[ \t]{1,9}(?P<package>[\w.]{1,100})[ \t]{1,9}import[ \t]{1,9}\(?(?P<names>[\w, \t]{1,300})"
    r"|import[ \t]{1,9}(?P<modules>[\w., \t]{1,300}))",
    re.M,
)
_MODULE = re.compile(r"python[\d.]{0,5}\s{1,4}(?:-\w{1,9}\s{1,4}){0,3}-m\s{1,4}([\w.]{1,100})")
_BY_SHELL = re.compile(
    r"(?:(?<![\w./-])(?:(?:/usr)?/bin/)?(?:ba|z|da|k|a)?sh|(?<![\w.-])source|(?:^|[\s;&|({])\.)"
    r"(?:(?:\s{1,9}-\w{1,9}){0,4}\s{1,9}[\"']?(?:\$\w{1,40}|\$\{\w{1,40}\}|\$\(.{0,60}\))?[\"']?"
    r"|[\"'],\s{0,9}\[?\s{0,9}[\"'`])$"
)
_BY_PROGRAM = re.compile(
    r"(?<![\w./-])(?:python[\d.]{0,5}|node|bun|deno|tsx|ts-node|ruby|perl|php|uv|pwsh|powershell|osascript|nohup"
    r"|exec\w{0,8}"
    r"|spawn\w{0,8}|fork|popen|system|run\w{0,9}|call|require|import|load|open|nohup|sudo|eval)\b"
    r"[\s\"'(\[,:${}\w./-]{0,60}$",
    re.I,
)
# python3 FILE, node --flag FILE, ["python3", "FILE"], exec(open("FILE")
_BY_INTERPRETER = re.compile(
    r"(?<![\w.-])(?:python[\d.]{0,5}|node|bun(?:\s{1,4}run)?|deno\s{1,4}run|tsx|ts-node|ruby|perl|php|uv\s{1,4}run"
    r"|osascript)(?:(?:\s{1,9}-[\w=-]{1,20}){0,4}\s{1,9}[\"']?(?:\$\w{1,40}/?|\$\{\w{1,40}\}/?)?[\"']?"
    r"|[\"'`]\s{0,4},\s{0,9}\[?\s{0,9}(?:[\"'`]-[\w-]{1,12}[\"'`],\s{0,4}){0,3}[^\n,]{0,30}[\"'`])$"
    r"|\b(?:run_path|execfile|SourceFileLoader|spec_from_file_location)\([^\n]{0,80}[\"'`]$"
    r"|\b(?:exec|eval|compile|_compile|Function|runIn\w{1,20})\([^\n]{0,60}(?:open|Path|readFileSync|readFile|read_text)\("
    r"[^\n]{0,60}[\"'`]$"
)
# FILE | head | bash, $(cat FILE) behind eval
_INTO_SHELL = re.compile(
    r"[\"']?[^\n;]{0,120}\|\s{0,4}(?:sudo\s{1,4})?(?:/bin/|/usr/bin/)?(?:env\s{1,4})?"
    r"(?P<program>(?:ba|z|da|k|a)?sh|python[\d.]{0,5}|node|perl|ruby)(?=[\s\"';&)]|$)"
)
_BEHIND_EVAL = re.compile(
    r"(?:\beval|\bsh\s{1,4}-c|\bsource)\s{1,4}[\"']?(?:\$\(|`|<\()[^\n;]{0,60}$|\bsh\s{0,4}<\s{0,4}[^\s]{0,40}$"
)
# Programs that run what a file of a fixed name says.
_BY_NAME = (
    (re.compile(r"(?:^|[\s;&|\"'(])g?make(?=[\s\"';&|)]|$)"), ("Makefile", "makefile", "GNUmakefile")),
    (re.compile(r"(?:^|[\s;&|\"'(])(?:npm|pnpm|yarn|bun)\s{1,4}(?:run|test|start)\b"), ("package.json",)),
    (re.compile(r"(?:^|[\s;&|\"'(])just(?=\s)"), ("justfile", "Justfile", ".justfile")),
)
_BEFORE = 120
_MOST = 20_000


class Reference(Value):
    """`role` is what the started file is to whoever starts it; empty where its own name says so."""

    name: str
    role: str = ""


def references(text: str, here: str, names: FileNames | FilesOnDisk) -> Iterator[Reference]:
    """Every file that the text of a program may start. `here` is the folder of the file with the text."""
    for number, found in enumerate(_SPELLING.finditer(text)):
        if number > _MOST:
            break
        spelling, at = found[0].replace("\\", "/").rstrip("."), found.start()
        if text[at - 1 : at] == "$":  # the rest of a path behind a variable
            variable, slash, rest = spelling.partition("/")
            spelling, at = slash + rest, at + len(variable)
        if spelling and names.may_have(spelling):
            yield from _named(text, at, spelling, here, names)
    yield from _by_name(text, here, names)
    if "import" in text or " -m " in text:
        for spelling in _modules(text):
            found_names = names.find(spelling, here) if names.may_have(spelling) else []
            yield from (Reference(name, SOURCE) for name in found_names if ending_of(name) in ("py", "pyw"))


def _by_name(text: str, here: str, names: FileNames | FilesOnDisk) -> Iterator[Reference]:
    for program, files in _BY_NAME if len(text) < _MOST else ():
        if program.search(text):
            role = "" if "package.json" in files else SHELL
            yield from (Reference(name, role) for file in files for name in names.find(file, here))


def _named(text: str, at: int, spelling: str, here: str, names: FileNames | FilesOnDisk) -> Iterator[Reference]:
    before = text[max(0, at - _BEFORE) : at]
    is_path = "/" in spelling or "." in spelling
    role = _role_for(text, at + len(spelling), before)
    is_run = bool(role or _BY_PROGRAM.search(before)) or not before.strip(" \"'${}(").strip()
    if not is_path and not is_run:
        return
    for name in names.find(spelling, here):
        if is_code(name):
            yield Reference(name)
        elif is_run or _is_command(before):
            is_script = not role and at < _BEFORE and _is_command(before)  # a shell runs any text as a script
            yield Reference(name, SHELL if is_script else role)


def _role_for(text: str, end: int, before: str) -> str:
    """What a file is to the program that is given it; empty where it may be data."""
    if _BY_SHELL.search(before) or _BEHIND_EVAL.search(before):
        return SHELL
    if _BY_INTERPRETER.search(before):
        return SOURCE
    fed = _INTO_SHELL.match(text, end, end + 200)
    return "" if not fed else SHELL if fed["program"].endswith("sh") else SOURCE


def _is_command(before: str) -> bool:
    """At the start of a command, behind nothing but variables and quotes."""
    last = re.split(r"[\n;&|]", before)[-1]
    return not re.sub(r"\$\{?\w{1,40}\}?|[\s\"']", "", last)


def _modules(text: str) -> Iterator[str]:
    for found in _MODULE.finditer(text):
        yield found[1].replace(".", "/")
        yield found[1].replace(".", "/") + "/__main__.py"
    for found in _IMPORT.finditer(text):
        if found["package"]:
            package = found["package"].replace(".", "/")
            yield package
            yield from (f"{package}/{name.strip().split(' ')[0]}" for name in found["names"].split(","))
        else:
            yield from (each.strip().split(" ")[0].replace(".", "/") for each in found["modules"].split(","))
