"""Which items of a server's list are offered and which are held, by what is remembered of it.

The first list of a server is remembered, but for items whose text gives orders or hides something. From then on
whatever is new, changed or renamed is held until somebody has reviewed it; what is remembered stays as it is.
"""

from __future__ import annotations

from difflib import unified_diff
from json import dumps

from pisces.diagnostics import ERROR, Rule
from pisces.discovery.found import USER
from pisces.formats.visible import visible
from pisces.mcp.fingerprint import differences, hash_of, text_of
from pisces.mcp.fingerprint_orders import orders_in
from pisces.mcp.fingerprint_store import launch_of
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.mcp.fingerprint import Items
    from pisces.mcp.fingerprint_store import ServerMemory
    from pisces.mcp.plan import ServerPlan

NOT_REVIEWED = Rule("mcp-not-reviewed", ERROR, "What a server says stays held, because nobody agreed to it")

MOST_BYTES = 2 << 20  # of all items of one server
TOO_LARGE = f"the list has more than {MOST_BYTES >> 20} MB, which nobody can review"


class SeenList(Value):
    """What a server listed now. `wrong` are items that can never be offered. `asked` is what it may ask us."""

    items: Items
    wrong: Mapping[str, str] = EMPTY
    version: str = ""
    asked: str = ""


class ReviewedList(Value):
    """`held` has the reason of each. `memory` is what should be remembered from now on."""

    offered: Items
    held: Mapping[str, str]
    memory: ServerMemory


def reviewed(memory: ServerMemory, plan: ServerPlan, seen: SeenList, *, is_settling: bool = False) -> ReviewedList:
    """`is_settling` is set while what comes belongs to the first list: servers add tools right after they start."""
    if memory.problem:
        why = f"what is remembered cannot be used: {memory.problem}"
        return ReviewedList({}, {**dict.fromkeys(seen.items, why), **seen.wrong}, memory)
    if len(text_of(seen.items)) > MOST_BYTES:
        return ReviewedList({}, {**dict.fromkeys(seen.items, TOO_LARGE), **seen.wrong}, memory)
    memory = _of_launch(memory, plan)
    held = differences(memory.items, seen.items)
    if seen.asked not in memory.asked or is_settling:
        before = memory.seen or ()  # what was held before is not new
        orders = orders_in({key: seen.items[key] for key in held if key not in memory.items})
        accepted = {key: seen.items[key] for key in held if key not in {*memory.items, *before, *orders}}
        held = {**{key: why for key, why in held.items() if key not in accepted}, **orders}
        asked = (*memory.asked, *({seen.asked} - {*memory.asked}))
        version = memory.version or seen.version
        memory = memory.replace(items={**memory.items, **accepted}, asked=asked, version=version)
    offered = {key: item for key, item in seen.items.items() if key not in held}
    listed = tuple(sorted(offered))
    memory = memory.replace(launch=launch_of(plan), listed=listed, seen=None, seen_version="")
    if held:
        memory = memory.replace(seen=seen.items, seen_version=seen.version)
    return ReviewedList(offered, {**held, **seen.wrong}, memory)


def _of_launch(memory: ServerMemory, plan: ServerPlan) -> ServerMemory:
    """The user who lets the entry start something else has another server there. Nobody else can start anew."""
    is_own = plan.found.source.level == USER and not plan.found.package
    if is_own and memory.launch != launch_of(plan):
        return memory.replace(items=EMPTY, asked=(), listed=(), version="", seen=None, rejected="")
    return memory


def accepted(memory: ServerMemory) -> ServerMemory:
    """After a review: what was seen last is what is remembered."""
    if memory.seen is None:
        return memory
    version = memory.seen_version or memory.version
    items, listed = {**memory.items, **memory.seen}, tuple(sorted(memory.seen))
    return memory.replace(items=items, listed=listed, version=version, seen=None, seen_version="", rejected="")


def waiting(memory: ServerMemory) -> dict[str, str]:
    """What waits for a review in what was seen last, each with the reason."""
    if memory.seen is None:
        return {}
    found = differences(memory.items, memory.seen)
    return {**found, **orders_in({key: memory.seen[key] for key in found})}


def review_hash(memory: ServerMemory) -> str:
    """Of exactly what is before and after: an answer holds for this and nothing else."""
    return hash_of([memory.items, memory.seen or {}])


def difference_lines(memory: ServerMemory) -> Iterator[str]:
    """What was remembered against what was seen, as a unified diff with every strange character visible."""
    seen = memory.seen or {}
    why = waiting(memory)
    for key in [*why, *(key for key in memory.listed if key not in seen)]:
        reason = why.get(key, "it is gone")
        yield f"{visible(key)}: {visible(reason)}"
        before, after = _lines(memory.items.get(key)), _lines(seen.get(key))
        for line in list(unified_diff(before, after, "remembered", "seen", lineterm="", n=2))[2:]:
            yield f"  {line}"


def _lines(item: object) -> list[str]:
    """A text of several lines has as many lines here: that is how a change in it is found."""
    if item is None:
        return []
    text = dumps(item, ensure_ascii=False, sort_keys=True, indent=1)
    return [visible(part) for line in text.splitlines() for part in line.split("\\n")]
