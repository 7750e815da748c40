"""Programs that read a program: Python, Node, awk, sed, SQL, make and their like."""

from __future__ import annotations

import re

from pisces.commands.lines.needs import (
    NEVER,
    NO_RUNNING,
    NOT_AN_OPTION,
    ORDINARY,
    PHRASE,
    Need,
    within,
)
from pisces.commands.lines.options import take_operands, take_paths
from pisces.commands.lines.shells import run_file, run_script_file
from pisces.formats.shell.arguments import CLEAN, Argument, CommandCall
from pisces.formats.shell.options import options_of
from pisces.formats.shell.starters import program_name
from pisces.formats.shell.syntax import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.commands.lines.flow import Flow

# The options that are followed by code; letters may stand together with others: `-ne`.
LANGUAGES = {
    "python": "c",
    "pypy": "c",
    "ipython": "c",
    "perl": "eE",
    "ruby": "e",
    "node": "ep",
    "nodejs": "ep",
    "bun": "ep",
    "deno": "",
    "tsx": "ep",
    "ts-node": "ep",
    "php": "rBRE",
    "lua": "e",
    "luajit": "e",
    "Rscript": "e",
    "R": "e",
    "osascript": "e",
    "julia": "eE",
    "elixir": "e",
    "groovy": "e",
    "scala": "e",
    "clojure": "e",
    "bb": "e",
    "guile": "c",
    "racket": "e",
    "ghc": "e",
    "pwsh": "c",
    "powershell": "c",
    "tclsh": "",
    "expect": "c",
    "octave": "",
    "sbcl": "",
    "emacs": "",
    "mongosh": "",
    "mongo": "",
}
_LONG_CODE = frozenset("--eval --print --execute --expr -Command -EncodedCommand -command eval".split())
_MORE_CODE = re.compile(r"-[rMmI]|--(?:require|import|loader|experimental-loader)\b")
_WITH_VALUE = ("-m", "-M", "-r", "-I", "--require", "--import")
_STARTS_PROGRAMS = re.compile(
    r"\b(?:system|exec\w*|popen\w*|eval|subprocess|spawn\w*|child_process|os\.\w+|compile|qx|open|shell_exec|passthru"
    r"|load\w*|require|import_module|__import__|Function|ENV|globalThis|constructor|vm|Bun|Deno|globals|vars|getattr"
    r"|getBuiltinModule|mainModule|binding|dlopen)\b|`|%x|<|\bimport\s*\(|__\w+__"
    r"|[/})]\w*ee\b|&\s*[${]|->\s*[(]|\bdo\s*[\"'$(]|\bre\s+[\"']eval|create_subprocess_shell",
)
# What else Python's own modules make of a text, nobody looked at.
_PYTHON_IMPORT = re.compile(r"\b(?:import|from)\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)")
_PYTHON_DATA = frozenset(
    """
    sys json re datetime time math string textwrap urllib html base64 hashlib uuid random collections itertools
    functools pprint csv io unicodedata calendar decimal fractions statistics shlex tomllib difflib zoneinfo ipaddress
    secrets binascii locale platform struct operator typing pathlib glob fnmatch
    """.split()
)
_RUN_HERE = re.compile(r"\b(?:exec|eval|system|popen|execSync|getoutput|Function)\s*\(?[\s'\"`]*\0")
_INTO_SHELL = re.compile(r'\|&?\s*"(?:\S*/)?(?:ba|da|z|k|a)?sh\b')
_RUNS_THE_WORDS = re.compile(
    r"(?:system|eval|exec\w*|[pP]open|call|run|check_output|get\w*output|execSync|spawn\w*|runIn\w+|shell_exec|qx|compile|loadstring|load|Function)"
    r"\W{0,3}(?:sys\.argv|process\.argv|ARGV|\$ARGV|\$argv|\$_|\$\w|shift|arg\[|input|sys\.stdin|STDIN|<|os\.environ"
    r"|process\.env|ENV|gets|\w+\s*[,)])"
)
_AWK_VALUES = "-F -v -f -i -l -E -e --assign --file --source".split()
_AWK_RUNS = re.compile(r"system\s*\(|getline|(?<!\|)\|(?!\|)|print\w*[^;}\n]*>|@\w|close\s*\(")
_AWK_RUNS_WORDS = re.compile(
    r'system\s*\(\s*[^"\s]|(?<!\|)\|&?(?!\|)\s*(?!getline)[A-Za-z$(]|[\w\])]\s*\|&?\s*getline|@\w+\s*\('
)
_SED_COMMAND = re.compile(
    r"(?:\d+|\$)?(?:,(?:\d+|\$))?\s*s(?P<mark>[/|#,:@!~_%])(?:(?!(?P=mark))[^\\\n]|\\[^\0])*(?P=mark)"
    r"(?:(?!(?P=mark))[^\\\n]|\\[^\0])*(?P=mark)[gpiIm\d]*"
    r"|(?P<slash>/)(?:[^/\\\n]|\\[^\0])*/(?:,(?:/(?:[^/\\\n]|\\[^\0])*/|\d+|\$|\+\d+))?!?[dpq=]"
    r"|(?P<number>[\d,$\0]+)!?[dpq=]|[dpq=]|(?P<text>(?:\d+|\$)?[aic] [^\\\n]*\Z)"
)
_SED_RUNS = re.compile(r"(?:^|[;{}\d$/!\n])\s*e(?:\s|$|;|\})|[/|#,:@!~_%][gpiImM\d]*e[gpiImM\d]*\s*(?:$|[;}\n])")
_SQL_RUNS = re.compile(
    r"\.(?:shell|system|load|import|output|once)|\\[!o|gw]|load_extension|writefile|edit\(|COPY", re.I
)
_NUMBERS = Need(r"[\d,$]*", "only numbers of lines can stand there", "write `sed -n {{args}}p` for numbers")


def language(flow: Flow, call: CommandCall) -> None:
    name = program_name(call.arguments[0])
    is_python = name in ("python", "pypy", "ipython")
    arguments = call.arguments[1:]
    codes: list[Argument] = []
    options, number = "", 0
    while number < len(arguments) and _is_option(arguments[number].text):
        here = arguments[number]
        found = _code_option(name, here.text)
        options += here.text[:found]
        number += 1
        if found is None:
            flow.need(here.taint, NEVER if _MORE_CODE.match(here.text) else ORDINARY)
            module = here.text[2:] if is_python and here.text.startswith("-m") else ""
            if here.text in _WITH_VALUE or (is_python and here.text in ("-X", "-W")):
                _take_module(flow, arguments[number:], call)
                number += 1
            elif module:
                _take_module(flow, (Argument(module), *arguments[number:]), call)
            if here.text == "-m" or module:
                take_operands(flow, arguments[number:])
                return
            continue
        if found < len(here.text):
            codes.append(here.replace(text=here.text[found:]))
        else:
            codes += arguments[number : number + 1]
            number += 1
        if is_python:
            break
    _run_codes(flow, call, (codes, options, arguments[number:]))


def _take_module(flow: Flow, arguments: Sequence[Argument], call: CommandCall) -> None:
    """A module that is loaded or run; some read code in their turn."""
    for each in arguments[:1]:
        flow.need(each.taint, PHRASE)
        flow.runs_file(each)
        if each.text in ("timeit", "pdb", "code", "idlelib", "asyncio"):
            flow.need(call.stdin.union(*(other.taint for other in arguments)), NEVER)


def _is_option(text: str) -> bool:
    return text == "eval" or (len(text) > 1 and text.startswith("-") and text != "--")


def _code_option(name: str, text: str) -> int | None:
    """Where code begins in the word: at its end if it is the next word; None if it is another option."""
    if text in _LONG_CODE:
        return len(text)
    if text.startswith("--"):
        long, equals, _ = text.partition("=")
        return len(long) + 1 if equals and long in _LONG_CODE else None
    letters = LANGUAGES.get(name, "")
    found = re.match(rf"-[A-Za-z0-9]*?[{letters}]", text) if letters and text.startswith("-") else None
    return found.end() if found else None


def _run_codes(flow: Flow, call: CommandCall, read: tuple[list[Argument], str, Sequence[Argument]]) -> None:
    codes, options, rest = read
    if not codes:
        operands = rest[1:] if rest and rest[0].text == "--" else rest
        if not operands or operands[0].text in ("-", "/dev/stdin"):
            flow.need(call.stdin, ORDINARY)
            flow.runs_unseen(call.taint)
            take_operands(flow, operands)
        else:
            run_script_file(flow, operands)
        return
    for code in codes:
        take_code(flow, code)
    given = flow.state.held | call.stdin.union(*(each.taint for each in rest))
    text = "\n".join(each.text for each in codes)
    flow.need(flow.code_names(text), NEVER)
    if _RUNS_THE_WORDS.search(text):
        flow.need(given, NEVER)
    elif _STARTS_PROGRAMS.search(text) or re.search("[np]", options) or _imports_more(text):
        flow.need(given, ORDINARY)
    take_operands(flow, rest)


def _imports_more(text: str) -> bool:
    names = [name.split()[0] for found in _PYTHON_IMPORT.findall(text) for name in found.split(",")]
    return any(name.split(".")[0] not in _PYTHON_DATA for name in names)


def take_code(flow: Flow, code: Argument) -> None:
    """Words within a string of the language may be several; anywhere else one, and never all there is."""
    if code.text == HOLE or _RUN_HERE.search(code.text):
        flow.need(code.taint, NEVER)
    before = ""
    for mark, piece in zip(code.marks, code.text.split(HOLE), strict=False):
        before += piece
        is_string = before.count('"') % 2 or before.count("'") % 2
        flow.need(mark, PHRASE if is_string else ORDINARY)
    if code.splits:
        flow.need(code.taint, ORDINARY)


def awk(flow: Flow, call: CommandCall) -> None:
    options = options_of(
        call.arguments[1:], ("-F", "-v", "-f", "-i", "-l", "-E", "-e", "-W", "--assign", "--file", "--source")
    )
    for name, value in options.given:
        taint = value.taint if value else CLEAN
        if name in ("-v", "--assign") and value and re.match(r"[A-Za-z_]\w*=", value.text, re.ASCII):
            continue
        flow.need(taint, ORDINARY if name in ("-F", "-f", "--file") else NEVER)
        if value and name in ("-f", "--file"):
            run_file(flow, value, call)
    programs = list(options.values("-e", "--source"))
    rest = options.rest
    if not options.has("-f", "--file", "-E", "-e", "--source"):
        programs, rest = list(rest[:1]), rest[1:]
    for program in programs:
        take_code(flow, program)
    given = (call.taint | flow.state.held) - CLEAN.union(*(each.taint for each in programs))
    text = "\n".join(each.text for each in programs)
    if _INTO_SHELL.search(text):
        flow.need(call.taint | given, NEVER)
    elif _AWK_RUNS_WORDS.search(text):
        flow.need(given, NEVER)
        flow.need(call.taint, ORDINARY)
    elif _AWK_RUNS.search(text):
        flow.need(given, ORDINARY)
    take_operands(flow, rest)


def sed(flow: Flow, call: CommandCall) -> None:
    options = options_of(call.arguments[1:], ("-e", "-f", "-l", "--expression", "--file", "--line-length"))
    scripts = options.values("-e", "--expression")
    rest = options.rest
    if not options.has("-e", "-f", "--expression", "--file"):
        scripts, rest = list(rest[:1]), rest[1:]
    for value in options.values("-f", "--file"):
        flow.need(value.taint, PHRASE)
        run_file(flow, value, call)
    for script in scripts:
        _take_sed(flow, script)
        if _SED_RUNS.search(script.text):
            flow.need(call.taint, NEVER)
    take_operands(flow, rest)


def _take_sed(flow: Flow, script: Argument) -> None:
    """Only scripts whose commands are known take words: a command `e` runs its line, `w` writes a file."""
    if not script.taint:
        return
    flow.state.single |= script.taint
    marks, at = list(script.marks), 0
    while at < len(script.text):
        found = _SED_COMMAND.match(script.text, at)
        if not found or (found.end() < len(script.text) and script.text[found.end()] not in ";\n"):
            flow.need(script.taint, NEVER)
            return
        need = _NUMBERS if found["number"] else within("\n" if found["text"] else found["mark"] or "/")
        for _ in range(found[0].count(HOLE)):
            flow.need(marks.pop(0), need)
        at = found.end() + 1


def sql(flow: Flow, call: CommandCall) -> None:
    for each in call.arguments[1:]:
        flow.need(flow.code_names(each.text), NEVER)
        if each.begins_with_words:
            flow.need(each.taint, NOT_AN_OPTION)
        flow.state.single |= each.taint
        if each.text == HOLE:
            flow.need(each.taint, ORDINARY)
        else:
            take_code(flow, each)
        if _SQL_RUNS.search(each.text):
            flow.need(call.taint, ORDINARY)
    flow.need(call.stdin, ORDINARY)


def jq(flow: Flow, call: CommandCall) -> None:
    """Values of `--arg` are data."""
    arguments, number, has_program = call.arguments[1:], 0, False
    while number < len(arguments):
        each = arguments[number]
        if each.text in ("--arg", "--argjson", "--slurpfile", "--rawfile"):
            for value in arguments[number + 1 : number + 3]:
                flow.state.single |= value.taint
            flow.need(CLEAN.union(*(value.taint for value in arguments[number + 1 : number + 2])), ORDINARY)
            number += 3
            continue
        if each.text == "--args":
            take_paths(flow, arguments[number + 1 :])
            return
        if each.begins_with_words:
            flow.need(each.taint, NOT_AN_OPTION)
        if not has_program and not each.text.startswith("-"):
            take_code(flow, each)
            has_program = True
        number += 1


def make(flow: Flow, call: CommandCall) -> None:
    """make expands `$(shell ...)` in values and puts them into command lines: of targets, variables and environment."""
    given = call.taint | flow.state.held
    flow.need(given, PHRASE)
    for number, each in enumerate(call.arguments):
        before = call.arguments[number - 1].text if number else ""
        if each.taint and (
            before in ("--eval", "-E")
            or re.match(r"--eval=|(?:\.?SHELL\w*|MAKE\w*)\s*[:+?!]*=", each.text)
            or re.search(rf"!=|\$[({{](?:shell|eval|call|file)\s+{HOLE}", each.text)
        ):
            flow.need(each.taint, NEVER)
        if before in ("-f", "--file", "--makefile"):
            run_file(flow, each, call)
    for name in ("Makefile", "makefile", "GNUmakefile"):
        flow.runs_file(Argument(name))


def runner(flow: Flow, call: CommandCall) -> None:
    """Programs that put their arguments into command lines of a project."""
    flow.need(call.taint - call.stdin, PHRASE)
    for number, each in enumerate(call.arguments[1:], 1):
        before = [other.text for other in call.arguments[:number] if other.text != "--"]
        if before[-1] in ("exec", "x", "dlx", "-c", "--call"):
            flow.need(each.taint, NEVER)
    for each in call.arguments[1:2]:
        if each.begins_with_words:
            flow.need(each.taint, NO_RUNNING)
    take_operands(flow, call.arguments[1:])
