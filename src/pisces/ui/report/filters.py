"""Choosing a harness, or only what does not load, without a script: radio buttons, and a style that reads them."""

from __future__ import annotations

from pisces.ui.report.escape import name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.ui.report.survey import Column


def filters(columns: Sequence[Column]) -> str:
    programs = [("all", "every program"), *((f"h{each.number}", name(each.label)) for each in columns)]
    states = [("any", "everything"), ("not", "only what does not load")]
    return _group("Program", "program", programs) + _group("State", "state", states)


def filter_rules(columns: Sequence[Column]) -> str:
    """A row has the classes `h3` and `n3` if column 3 finds it and does not load it."""
    rules = ["body:has(#f-not:checked) tr.i:not(.none,[class*=' n'])"]
    for each in columns:
        rules.append(f"body:has(#f-h{each.number}:checked) tr.i:not(.h{each.number})")
        rules.append(f"body:has(#f-h{each.number}:checked):has(#f-not:checked) tr.i:not(.n{each.number})")
    return f"@media screen{{{','.join(rules)}{{display:none}}}}\n"


def _group(title: str, group: str, choices: Sequence[tuple[str, str]]) -> str:
    buttons = "".join(
        f'<label><input type="radio" name="{group}" id="f-{each}"{"" if number else " checked"}> {label}</label>'
        for number, (each, label) in enumerate(choices)
    )
    return f'<fieldset class="filter"><legend>{title}</legend>{buttons}</fieldset>'
