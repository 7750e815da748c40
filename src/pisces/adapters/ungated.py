"""Tools that no adapter can gate, because they run at the model's provider or are code: refused unless named."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class UngatedTool(Exception):
    """The agent has a tool that no gate sees. Name it in `ungated` to accept that."""


def refuse_ungated(tools: Iterable[str], accepted: Collection[str]) -> None:
    """Raises `UngatedTool` for the tools that the program has not accepted."""
    wrong = sorted(set(tools).difference(accepted))
    if wrong:
        named = ", ".join(f"`{name}`" for name in wrong)
        raise UngatedTool(f"no gate sees what {named} does: remove it, or accept that with ungated={wrong!r}")
