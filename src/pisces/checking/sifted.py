"""What is shown of a check: without what the author suppresses by a comment or in the configuration.

A comment that suppresses nothing is reported, unless its code was left out of this check.
"""

from __future__ import annotations

from pisces.checking.check_config import CheckConfig, CheckConfigs, is_among
from pisces.checking.checked import Checked, in_order
from pisces.checking.fix import Fix, TextEdit
from pisces.checking.spelling import did_you_mean
from pisces.checking.suppression import Suppression
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

UNUSED_SUPPRESSION = Rule("unused-suppression", WARNING, "A comment suppresses nothing")


_ANY = -1  # stands for every line
_MOST_HINTS = 50  # comparing a word with all codes takes a while


class Shown(Value):
    """Which diagnostics the user wants to see: `select` and `ignore` are codes, and `select` replaces a configured one.

    `configs` is None where neither comments nor configurations count. `is_partial` says that not all rules were asked.
    `copied` is the folder of a copy and the folder that it is a copy of, whose configuration counts.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    configs: CheckConfigs | None = None
    is_partial: bool = False
    copied: tuple[str, str] = ("", "")

    def wants(self, code: str) -> bool:
        return (not self.select or is_among(code, self.select)) and not is_among(code, self.ignore)

    def allows(self, diagnostic: Diagnostic) -> bool:
        """Whether the configuration of its file lets a diagnostic through."""
        copy, original = self.copied
        if copy and diagnostic.path.startswith(copy):
            diagnostic = diagnostic.replace(path=original + diagnostic.path[len(copy) :])
        config = self.configs.of(diagnostic.path) if self.configs and diagnostic.path else CheckConfig()
        return (config.replace(select=()) if self.select else config).allows(diagnostic)


class Sifted(Value):
    """`fixes` are those of the diagnostics that are shown."""

    diagnostics: tuple[Diagnostic, ...]
    suppressed: tuple[Diagnostic, ...] = ()
    fixes: Mapping[Diagnostic, Fix] = EMPTY


def sifted(checked: Checked, choice: Shown, known: Callable[[], Collection[str]]) -> Sifted:
    """`known` has the codes of all rules."""
    wanted = [each for each in checked.diagnostics if choice.wants(each.code)]
    if choice.configs is None:
        return Sifted(tuple(wanted), (), _fixes_of(wanted, checked.fixes))
    comments = _Comments(checked)
    shown: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    for diagnostic in (*wanted, *(each for each in comments.broken if choice.wants(each.code))):
        is_shown = not comments.cover(diagnostic) and choice.allows(diagnostic)
        (shown if is_shown else suppressed).append(diagnostic)
    unused = {} if choice.is_partial else dict(comments.unused(choice, known))
    for diagnostic in unused:
        (shown if choice.allows(diagnostic) else suppressed).append(diagnostic)
    shown.extend(each for each in choice.configs.diagnostics if choice.wants(each.code))
    return Sifted(in_order(shown), in_order(suppressed), _fixes_of(shown, {**checked.fixes, **unused}))


def _fixes_of(shown: list[Diagnostic], fixes: Mapping[Diagnostic, Fix]) -> dict[Diagnostic, Fix]:
    return {diagnostic: fixes[diagnostic] for diagnostic in shown if diagnostic in fixes}


class _Comments:
    """The comments of all files that were checked, and which codes of them were of use."""

    def __init__(self, checked: Checked) -> None:
        self.broken = [each for each in checked.comments if isinstance(each, Diagnostic)]
        self._used: set[tuple[Suppression, str]] = set()
        self._every = [each for each in checked.comments if isinstance(each, Suppression)]
        self._by_line: dict[tuple[str, str, int], list[Suppression]] = {}  # by path, code and line; 0 is the whole file
        for comment in self._every:
            for code in comment.codes:
                for line in (0, *([_ANY] if comment.whole else comment.lines)):
                    self._by_line.setdefault((comment.path, code, line), []).append(comment)

    def cover(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment suppresses a diagnostic."""
        lines = (diagnostic.line, _ANY) if diagnostic.line else (0,)
        keys = ((diagnostic.path, diagnostic.code, line) for line in lines)
        covering = [comment for key in keys for comment in self._by_line.get(key, ())]
        self._used.update((comment, diagnostic.code) for comment in covering)
        return bool(covering)

    def unused(self, choice: Shown, known: Callable[[], Collection[str]]) -> Iterator[tuple[Diagnostic, Fix]]:
        """Each code that was of no use, with its removal; not those that were left out of this check."""
        left = _MOST_HINTS
        for comment in self._every:
            for code in comment.codes if choice.wants(UNUSED_SUPPRESSION.code) else ():
                is_known = code in known()
                if (comment, code) in self._used or (is_known and not choice.wants(code)):
                    continue
                message = f"`{code}` is not reported here" if is_known else f"there is no code `{code}`"
                hint = "remove it" if is_known else did_you_mean(code, known()) if left else ""
                left -= bool(left and not is_known)
                place = (comment.line, comment.column)
                yield UNUSED_SUPPRESSION.at(comment.path, message, place=place, hint=hint), self._removal(comment, code)

    def _removal(self, comment: Suppression, code: str) -> Fix:
        """The whole comment goes where no code is left in it."""
        codes = ", ".join(each for each in comment.codes if each != code)
        before, _, rest = comment.old.partition("[")
        new = f"{before}[{codes}]{rest.partition(']')[2]}" if codes else ""
        edit = TextEdit(comment.start, comment.old, new)
        return Fix(comment.path, comment.folder, (edit,), f"remove `{code}` from the comment")
