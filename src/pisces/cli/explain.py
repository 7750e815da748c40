"""`pisces explain CODE`: what a diagnostic means, why it matters, and what to write instead."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.ui.rules import ExplainedRule, all_rules
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="the code in brackets; without it, all codes")
    add_output_format(parser)


def _run(arguments: Namespace, _places: Places, screen: Screen) -> int:
    rules = all_rules()
    if arguments.code and arguments.code not in rules:
        return _unknown(arguments.code, rules, screen)
    wanted = [rules[arguments.code]] if arguments.code else list(rules.values())
    if arguments.output_format == "json":
        screen.json([{field: getattr(rule, field) for field in rule.__fields__} for rule in wanted])
    elif arguments.code:
        _show(wanted[0], screen)
    else:
        screen.lines(table([[rule.code, rule.severity, rule.title] for rule in wanted]))
    return FINE


def _show(rule: ExplainedRule, screen: Screen) -> None:
    screen.line(f"{screen.styled(rule.code, 'bold')} ({rule.severity})")
    screen.line(rule.title)
    screen.line()
    screen.line(rule.why)
    for heading, text in (("Instead of", rule.example), ("write", rule.instead)):
        screen.line()
        screen.line(f"{heading}:")
        screen.lines(f"    {line}" for line in text.splitlines())


def _unknown(code: str, rules: dict[str, ExplainedRule], screen: Screen) -> int:
    from difflib import get_close_matches  # slow to load, needed for a mistyped code only

    near = get_close_matches(code, list(rules), n=3)
    screen.note(f"no diagnostic has the code `{code}`")
    screen.note(f"  hint: {'did you mean ' + ', '.join(near) if near else 'pisces explain lists them'}")
    return PROBLEMS


_EXAMPLES = (("pisces explain agent-header", "one code"), ("pisces explain", "all codes"))
_SUMMARY = "what a diagnostic means, why it matters, and what to write instead"
COMMAND = ShellCommand("explain", _SUMMARY, _EXAMPLES, _arguments, _run)
