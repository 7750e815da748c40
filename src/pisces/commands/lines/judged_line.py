"""A shell line with holes for the user's words: which quotes are around each, and what the words must look like."""

from __future__ import annotations

from pisces.commands.lines.flow import Flow
from pisces.commands.lines.flow_state import FlowState
from pisces.commands.lines.programs import judge
from pisces.formats.shell.arguments import OWN_PATH, UNKNOWN
from pisces.formats.shell.script_reader import ScriptReader
from pisces.formats.shell.syntax import HOLE, UnreadableLine
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.commands.lines.needs import Need

_LONGEST = 8192  # characters; a line with the user's words in it is written by hand


class JudgedLine(Value):
    """`flaw` says why the line cannot be read. `contexts` and `needs` are by the number of the hole.

    `lists` are the holes where each word may stand for itself; everywhere else they stay one word.
    """

    contexts: Mapping[int, str]
    needs: Mapping[int, tuple[Need, ...]]
    lists: frozenset[int] = frozenset()
    flaw: str = ""

    def is_list(self, number: int) -> bool:
        return number in self.lists


def judged_line(template: str, own_paths: frozenset[int] = frozenset()) -> JudgedLine:
    """`own_paths` are the numbers of holes for paths of ours: text of nobody, which needs quotes all the same."""
    try:
        return _judged(template, own_paths)
    except UnreadableLine as flaw:
        return JudgedLine({}, {}, flaw=str(flaw))
    except RecursionError:
        return JudgedLine({}, {}, flaw="too many levels")


def _judged(template: str, own_paths: frozenset[int]) -> JudgedLine:
    if len(template) > _LONGEST or UNKNOWN in template or OWN_PATH in template:
        raise UnreadableLine("it is too long" if len(template) > _LONGEST else "a control character")
    holes = range(template.count(HOLE))
    reader = ScriptReader(template, holes)
    script = reader.whole()
    if len(reader.contexts) != len(holes):
        raise UnreadableLine("a placeholder that stands nowhere")
    state = FlowState(judge)
    state.own_paths = own_paths
    sources = [frozenset((number,)) - own_paths for number in holes]
    state.everything = frozenset(holes) - own_paths
    Flow(reader, sources, state, nested=False).follow(script)
    needs = {number: tuple(sorted(needs, key=_strictness)) for number, needs in state.needs.items()}
    return JudgedLine(reader.contexts, needs, frozenset(reader.lists - state.single))


def _strictness(need: Need) -> tuple[int, str]:
    """The strictest need has the shortest pattern: its hint is the one that helps."""
    return len(need.pattern), need.hint
