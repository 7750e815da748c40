"""What a run says of tools that rules take away: a model that has no shell should not be a riddle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.formats.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.host.host import Host

_FEW = 4


def denied_tool_lines(host: Host) -> Iterator[str]:
    """One line for each rule that denies tools whatever their input is."""
    named: dict[str, list[str]] = {}
    for name, verdict in host.denied_tools.items():
        named.setdefault(verdict.who, []).append(visible(name))
    for who, names in named.items():
        more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
        yield f"the model gets no {', '.join(names[:_FEW])}{more}: {visible(who)}"
