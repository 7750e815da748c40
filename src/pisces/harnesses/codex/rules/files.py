"""Rules files of Codex: `prefix_rule`, `host_executable` and `network_rule`, and whether the whole file can be used.

Codex does not start with a file that has an error, or in an editor drops every rule of it. Here such a file keeps its
prompt and forbidden rules that can be read, and allows nothing. Where nothing can be read, every command is asked.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from contextlib import suppress

from pisces.diagnostics import ERROR, Rule
from pisces.files import Unreadable, read_text
from pisces.harnesses.codex.rules.starlark import Interpreter
from pisces.harnesses.codex.rules.starlark_values import StarlarkError
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from pisces.diagnostics import Diagnostic

RULES_FILE = Rule("codex-rules-file", ERROR, "A rules file of Codex cannot be used as it is")

PERMIT, PROMPT, FORBIDDEN = "allow", "prompt", "forbidden"
STRICTNESS = {PERMIT: 0, PROMPT: 1, FORBIDDEN: 2}
_LONGEST = 500_000  # characters of a file
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = "\\'\"\n\rabfnrtvxuUN01234567"
_WORDS_OF_DENIAL = ("forbidden", "deny", "block", "forbid", "reject")
_PARAMETERS = {
    "prefix_rule": ("pattern", "decision", "match", "not_match", "justification"),
    "host_executable": ("name", "paths"),
    "network_rule": ("host", "protocol", "decision", "justification"),
}
_PROTOCOLS = ("http", "https", "https_connect", "http-connect", "socks5_tcp", "socks5_udp")


class PrefixRule(Value):
    """`words` has for each place the words that fit there."""

    words: tuple[tuple[str, ...], ...]
    decision: str
    line: int
    justification: str = ""

    def matched(self, argv: Sequence[str]) -> tuple[str, ...] | None:
        """The beginning of the command that the rule is about, word by word."""
        if len(argv) < len(self.words) or any(each not in fit for each, fit in zip(argv, self.words)):  # noqa: B905
            return None
        return tuple(argv[: len(self.words)])


class RulesText(Value):
    """What a file says. `flaw` and `line` say why it has an error; then it has no rules that allow."""

    rules: tuple[PrefixRule, ...] = ()
    executables: tuple[tuple[str, tuple[str, ...]], ...] = ()
    flaw: str = ""
    line: int = 0

    @property
    def is_lost(self) -> bool:
        """Whether the file has an error and nothing of it can be read."""
        return bool(self.flaw) and not self.rules


def rules_at(path: str) -> tuple[RulesText, Diagnostic | None]:
    try:
        text = read_text(path)
    except Unreadable as error:
        read = RulesText(flaw=f"the file {error.message}")
    else:
        read = rules_text(text)
    if not read.flaw:
        return read, None
    hint = (
        "every command is asked about"
        if read.is_lost
        else "its prompt and forbidden rules stay, its allow rules do not"
    )
    return read, RULES_FILE.at(path, read.flaw, place=(read.line, 1 if read.line else 0), hint=hint)


def rules_text(text: str) -> RulesText:
    """All rules of a text that Codex accepts; of another one, those that only narrow."""
    reading = _Reading()
    try:
        reading.interpreter.run(_parsed(text).body)
        reading.check_examples()
    except StarlarkError as error:
        return _salvaged(text, str(error), error.line)
    except RecursionError:
        return _salvaged(text, "too many levels", 0)
    return RulesText(tuple(reading.rules), tuple(reading.executables.items()))


def _parsed(text: str) -> ast.Module:
    if len(text) > _LONGEST:
        raise StarlarkError("the file is too long")
    try:
        tree = ast.parse(_with_plain_escapes(text))
        before = None
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING and before == tokenize.STRING:
                raise StarlarkError("two texts stand side by side", token.start[0])
            before = token.type if token.type not in (tokenize.NL, tokenize.COMMENT) else before
    except (SyntaxError, ValueError, MemoryError, tokenize.TokenError) as error:
        raise StarlarkError(f"{getattr(error, 'msg', error)}", getattr(error, "lineno", 0) or 0) from error
    return tree


def _with_plain_escapes(text: str) -> str:
    """`"\\d"` is a backslash and a letter in Starlark too, but Python warns about it on stderr."""
    starts = [0]
    for line in text.split("\n") if "\\" in text else ():
        starts.append(starts[-1] + len(line) + 1)
    pieces, at = [], 0
    with suppress(SyntaxError, ValueError, tokenize.TokenError):  # the parser says what is wrong
        for token in tokenize.generate_tokens(io.StringIO(text).readline) if len(starts) > 1 else ():
            if token.type == tokenize.STRING and "r" not in token.string.partition(token.string[-1])[0].lower():
                begin, end = (starts[row - 1] + column for row, column in (token.start, token.end))
                pieces += [text[at:begin], _ESCAPE.sub(_plain_escape, token.string)]
                at = end
    return "".join(pieces) + text[at:]


def _plain_escape(found: re.Match[str]) -> str:
    return found[0] if found[1] in _ESCAPED else "\\" + found[0]


class _Reading:
    """Follows a file. A `lenient` one takes what narrows from calls that Codex refuses."""

    def __init__(self, *, lenient: bool = False) -> None:
        self.rules: list[PrefixRule] = []
        self.executables: dict[str, tuple[str, ...]] = {}
        self.examples: list[tuple[PrefixRule, list[Any], list[Any], int]] = []
        functions = dict.fromkeys(_PARAMETERS, None)
        calls = {name: self._calling(name) for name in functions}
        self.interpreter = Interpreter({**calls, "load": _no_load})
        self.lenient = lenient

    def _calling(self, name: str) -> Any:
        def call(line: int, /, *given: Any, **named: Any) -> None:
            parameters = _PARAMETERS[name]
            if self.lenient:
                named = {key: value for key, value in named.items() if key in parameters}
                given = given[: len(parameters)]
            bound = dict(zip(parameters, given, strict=False))
            if len(given) > len(parameters) or not named.keys() <= {*parameters} - bound.keys():
                raise StarlarkError(f"`{name}` has no such argument", line)
            getattr(self, f"_{name}")(line, {**bound, **named})

        return call

    def _prefix_rule(self, line: int, given: dict[str, Any]) -> None:
        words = _pattern(given.get("pattern"), line)
        decision, why = given.get("decision", PERMIT), given.get("justification", "")
        if self.lenient:
            decision, why = _narrowing(decision), why if isinstance(why, str) else ""
        elif decision not in STRICTNESS:
            raise StarlarkError(f"invalid decision: {decision}", line)
        elif "justification" in given and (not isinstance(why, str) or not why.strip()):
            raise StarlarkError("the justification is empty", line)
        rule = PrefixRule(words, decision, line, why)
        if not self.lenient:
            examples = [given.get(key, []) for key in ("match", "not_match")]
            if not all(isinstance(each, list) for each in examples):
                raise StarlarkError("examples are a list", line)
            self.examples.append((rule, *[[_example(each, line) for each in several] for several in examples], line))  # type: ignore[arg-type]
        if not self.lenient or decision != PERMIT:
            self.rules.append(rule)

    def _host_executable(self, line: int, given: dict[str, Any]) -> None:
        name, paths = given.get("name"), given.get("paths")
        if not isinstance(name, str) or not name or "/" in name or "\\" in name:
            raise StarlarkError("`name` of `host_executable` is the name of a program", line)
        if not isinstance(paths, list) or not all(_is_path_of(each, name) for each in paths):
            raise StarlarkError("`paths` of `host_executable` are absolute paths of that program", line)
        self.executables[name] = tuple(dict.fromkeys(paths))

    def _network_rule(self, line: int, given: dict[str, Any]) -> None:
        """Checked and otherwise not used: it is about connections, which no tool call names."""
        host, protocol, decision = (given.get(key) for key in ("host", "protocol", "decision"))
        if not isinstance(host, str) or not host.strip() or "*" in host or "/" in host:
            raise StarlarkError("`host` of `network_rule` is one host", line)
        if protocol not in _PROTOCOLS or decision not in ("allow", "deny", "prompt"):
            raise StarlarkError("`network_rule` has an unknown protocol or decision", line)

    def check_examples(self) -> None:
        for rule, fitting, others, line in self.examples:
            if not all(rule.matched(each) for each in fitting):
                raise StarlarkError("an example in `match` does not match its rule", line)
            if any(rule.matched(each) for each in others):
                raise StarlarkError("an example in `not_match` matches its rule", line)


def _no_load(line: int, /, *_given: Any, **_named: Any) -> None:
    raise StarlarkError("`load` is not allowed", line)


def _pattern(value: Any, line: int) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list) or not value:
        raise StarlarkError("`pattern` is a list with at least one word", line)
    words = [tuple(each) if isinstance(each, list) else (each,) for each in value]
    if not all(each and all(isinstance(word, str) for word in each) for each in words):
        raise StarlarkError("a place of `pattern` is a word or a list of words", line)
    return tuple(words)


def _example(value: Any, line: int) -> list[str]:
    if isinstance(value, str):
        import shlex  # slow to import, and few files have examples

        try:
            value = shlex.split(value)
        except ValueError as error:
            raise StarlarkError("an example is no command", line) from error
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise StarlarkError("an example is a command", line)
    return value


def _is_path_of(path: Any, name: str) -> bool:
    if not isinstance(path, str) or not path.startswith("/"):
        return False
    return path.rpartition("/")[2] == name


def _narrowing(decision: Any) -> str:
    if decision == PERMIT:
        return PERMIT
    is_denial = isinstance(decision, str) and decision.strip().casefold() in _WORDS_OF_DENIAL
    return FORBIDDEN if is_denial else PROMPT


def _salvaged(text: str, flaw: str, line: int) -> RulesText:
    """Statement by statement, what can be read alone. An unknown function with a `pattern` prompts."""
    reading = _Reading(lenient=True)
    for statement in _statements(text):
        try:
            reading.interpreter.run([statement])
        except StarlarkError:
            reading.rules += _unknown_calls(statement, reading)
        except RecursionError:
            break
    return RulesText(tuple(reading.rules), (), flaw, line)


def _statements(text: str) -> Iterator[ast.stmt]:
    """Those of each block that begins in the first column and can be parsed."""
    if len(text) > _LONGEST:
        return
    lines, start = text.splitlines(keepends=True), 0
    for number in range(1, len(lines) + 1):
        is_start = number == len(lines) or (lines[number][:1].strip() and lines[number][0] not in ")]}#")
        if not is_start:
            continue
        try:
            body = ast.parse("\n" * start + _with_plain_escapes("".join(lines[start:number]))).body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            body = []
        yield from body
        start = number


def _unknown_calls(statement: ast.stmt, reading: _Reading) -> Iterator[PrefixRule]:
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        written = next(
            (each.value for each in node.keywords if each.arg == "pattern"), node.args[0] if node.args else None
        )
        try:
            words = _pattern(reading.interpreter.value(written, {}) if written else None, node.lineno)
        except StarlarkError:
            continue
        decision = next((each.value for each in node.keywords if each.arg == "decision"), None)
        is_allow = isinstance(decision, ast.Constant) and decision.value == PERMIT
        if not is_allow and not (node.func.id == "prefix_rule" and decision is None and len(node.args) < 2):
            yield PrefixRule(words, PROMPT, node.lineno)


def decision_on(
    argv: Sequence[str], texts: Sequence[RulesText], *, resolve: bool = False
) -> tuple[str, list[PrefixRule]]:
    """`codex execpolicy check`: the strictest decision and the rules that match. Empty where none does.

    With `resolve` an absolute path also matches rules about its name, where `host_executable` does not list others.
    """
    rules = [rule for text in texts for rule in text.rules]
    found = [rule for rule in rules if rule.matched(argv)]
    if not found and resolve and argv and argv[0].startswith("/"):
        name = argv[0].rpartition("/")[2]
        known = [paths for text in texts for each, paths in text.executables if each == name]
        if not known or any(argv[0] in paths for paths in known):
            found = [rule for rule in rules if rule.matched((name, *argv[1:]))]
    return max((rule.decision for rule in found), key=STRICTNESS.__getitem__, default=""), found
