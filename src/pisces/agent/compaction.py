"""A conversation is made shorter: long results first, then a summary of what is old.

It is said before it happens, modules and hooks may cancel it or bring the summary, the user's own words stay, and it
can be undone: the transcript has everything. If the summary cannot be had, the conversation is as it was.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from pisces.agent.asking import asked
from pisces.agent.compaction_cut import (
    Cut,
    PlacedMessage,
    context_of,
    cut_of,
    is_full,
    is_roomy,
    long_results,
    most_that_stays,
    shortened_text,
    tokens_of_all,
    tokens_of_message,
    window_of,
)
from pisces.agent.compaction_entry import COMPACTION, MESSAGE, Compaction, compaction_of, standing
from pisces.agent.compaction_prompt import middle_cut, summary_ask
from pisces.agent.loop import LoopActions
from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_context import as_read
from pisces.models.wire import END, ModelFailed, Usage
from pisces.shapes.events.compaction import (
    AutoCompactionEnd,
    AutoCompactionStart,
    SessionBeforeCompact,
    SessionCompact,
    SessionCompacting,
)
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pisces.agent.loop import Emit
    from pisces.agent.transcript import Transcript
    from pisces.models.model import Model

MANUAL, AUTO, TOO_LONG = "manual", "auto", "overflow"
_BEFORE = (
    "The conversation nearly fills what the model can read: it is made shorter. Your own words and the last turns stay"
)
_BEFORE_CUT = (
    "The conversation is far longer than what the model can read: it gets your own words and the last part. The "
    "session's file has all of it"
)
NOTHING_OLD = "there is nothing old enough to be summarised"
_OVERHEAD = 4_000  # tokens of instructions and tools, where no answer has said what they cost
_MOST_SUMMARY = 60_000  # characters
_MANUAL_TAIL = 2_000  # tokens that stay whole if the user asks for it
_GROWTH = 0.05  # of the window, before it is tried again after a failure


class Compacted(Value):
    """`entry` is the id of the compaction; empty if there was none, and then `problem` says why.

    `before` and `after` are tokens, estimated. `summary` is empty where shortened results were enough.
    """

    entry: str = ""
    summary: str = ""
    before: int = 0
    after: int = 0
    problem: str = ""

    @property
    def said(self) -> str:
        """To the user."""
        if not self.entry:
            return f"The conversation is as long as it was: {self.problem}"
        return f"The conversation has about {self.after:,} tokens now, and had {self.before:,}; it can be undone"

    def as_json(self) -> dict[str, Any]:
        return dict(zip(self.__fields__, self.as_tuple(), strict=True))


class CompactionScene(Value):
    """`spent` hears what the summary cost. `after` is called once the conversation is another one: what depends on it
    is read again. `say` tells the user.
    """

    transcript: Callable[[], Transcript]
    model: Callable[[], Model]
    emit: Emit
    spent: Callable[[Usage, Model], None]
    after: Callable[[], Awaitable[None]]
    say: Callable[[str], None]


class SummaryFailed(Exception):
    """There is no summary; the text says why."""


class Compactor:
    """Of one conversation. It remembers a failure, so that not every request begins with one."""

    def __init__(self, scene: CompactionScene) -> None:
        self._scene = scene
        self._not_below = 0

    async def before_request(self) -> Compacted | None:
        """Compacts if the window is nearly full; None if it is not."""
        transcript, window = self._scene.transcript(), self._scene.model().facts.window
        used = max(used_tokens(transcript), window_of(window) if transcript.is_cut else 0)
        if used < self._not_below or not is_full(used, window):
            return None
        made = await self._announced(AUTO)
        self._not_below = 0 if made.entry else used + int(window_of(window) * _GROWTH)
        return made

    async def shortened(self, _failed: ModelFailed) -> bool:
        """After a request that was too long: whether the next one is shorter."""
        return bool((await self._announced(TOO_LONG)).entry)

    async def _announced(self, trigger: str) -> Compacted:
        self._scene.say(_BEFORE_CUT if self._scene.transcript().is_cut else _BEFORE)
        await self._scene.emit(AutoCompactionStart(trigger))
        made = Compacted(problem="it was interrupted")
        try:
            made = await self.compact("", trigger)
        finally:
            self._scene.say(made.said)
            await self._scene.emit(AutoCompactionEnd(made.as_json(), aborted=not made.entry))
        return made

    async def compact(self, instructions: str = "", trigger: str = MANUAL) -> Compacted:
        """Never raises for a model that gives no summary: then nothing has changed, and `problem` says why."""
        transcript, window = self._scene.transcript(), self._scene.model().facts.window
        before, messages = context_of(transcript.context, as_read)
        most = _MANUAL_TAIL if trigger == MANUAL else most_that_stays(window)
        cut, used = cut_of(before, messages, window, most), used_tokens(transcript)
        event = await self._scene.emit(_question(cut, instructions, trigger, used))
        if event.cancelled:
            return Compacted(before=used, problem=event.reason or "an extension cancelled it")
        try:
            made = await self._made(cut, event, trigger, used)
        except SummaryFailed as failed:
            return Compacted(before=used, problem=str(failed))
        made = made.replace(tokens=max(1, used - _size_of(before, messages) + _size_of(made, _staying(made, messages))))
        entry = transcript.append(COMPACTION, made.as_json())
        facts = {"id": entry.id, "firstKeptEntryId": made.first, "tokensBefore": used, "summary": made.summary}
        await self._scene.emit(SessionCompact(facts, event.compaction is not None, event.trigger, made.summary))
        await self._scene.after()
        return Compacted(entry.id, made.summary, used, made.tokens)

    def undo(self) -> bool:
        """The conversation as it was before the last compaction, with all that came later; whether there was one."""
        transcript = self._scene.transcript()
        found = standing(transcript.context)
        if found is None or not found[0]:
            return False
        made = Compaction(undone=found[0])
        transcript.append(COMPACTION, made.as_json())
        before, messages = context_of(transcript.context, as_read)
        window = window_of(self._scene.model().facts.window)
        self._not_below = _OVERHEAD + _size_of(before, messages) + int(window * _GROWTH)
        return True

    async def _made(self, cut: Cut, event: SessionBeforeCompact, trigger: str, used: int) -> Compaction:
        """Raises `SummaryFailed`."""
        brought = _brought(event.compaction)
        if not brought and trigger == AUTO:
            short = self._with_short_results(cut, cut.old)
            saved = used - _size_with(cut.old, {}) + _size_with(cut.old, short)
            if short and is_roomy(saved, self._scene.model().facts.window):
                return cut.before.replace(shortened={**cut.before.shortened, **short}, trigger=trigger)
        if not cut.stays or (not cut.old and not (trigger == TOO_LONG and long_results(cut.stays))):
            raise SummaryFailed(NOTHING_OLD)
        short = dict(cut.before.shortened)
        if trigger == TOO_LONG or tokens_of_all(cut.stays) > 2 * most_that_stays(self._scene.model().facts.window):
            short.update(self._with_short_results(cut, cut.stays))
        if not cut.old:
            return cut.before.replace(shortened=short, trigger=trigger)
        summary = brought or await self._summary(cut, event)
        return Compaction(summary, cut.stays[0].entry, cut.words, cut.left_out, short, trigger)

    def _with_short_results(self, cut: Cut, messages: Sequence[PlacedMessage]) -> dict[str, str]:
        """Results that were shortened before are left as they are."""
        folder = results_folder(self._scene.transcript().path)
        found = {place: text for place, text in long_results(messages).items() if place not in cut.before.shortened}
        return {place: shortened_text(text, stored(text, folder)) for place, text in found.items()}

    async def _summary(self, cut: Cut, event: SessionBeforeCompact) -> str:
        """Raises `SummaryFailed`."""
        scene = self._scene
        messages = [each.message for each in cut.old]
        hint = await scene.emit(SessionCompacting(scene.transcript().id, messages))
        notes = [each.text for each in event.notes if each.text]
        wishes = (event.instructions, hint.prompt, *hint.context, *notes)
        ask = summary_ask(messages, cut.before.summary, wishes, window_of(scene.model().facts.window))
        try:
            answer = await asked(_quiet(scene.model), ask)
        except ModelFailed as failed:
            raise SummaryFailed(f"the model gave no summary: {failed}") from failed
        scene.spent(answer.usage, scene.model())
        text = answer.message.text.strip()
        if answer.stop != END or not text:
            raise SummaryFailed(f"the model gave no whole summary: {answer.why or answer.stop}")
        return middle_cut(text, _MOST_SUMMARY)


def used_tokens(transcript: Transcript) -> int:
    """What the next request has: counted by the last answer as far as that goes, estimated for what came later."""
    if transcript.is_cut:
        return _OVERHEAD + sum(map(tokens_of_message, transcript.messages))
    tokens = 0
    for each in transcript.newest():
        if each.kind == COMPACTION:
            compaction = compaction_of(each.fields)
            if not compaction.tokens:
                before, messages = context_of(transcript.context, as_read)
                return _OVERHEAD + _size_of(before, messages)
            return tokens + compaction.tokens
        if each.kind != MESSAGE:
            continue
        counted = _counted(each.fields.get("usage"))
        if counted:
            return tokens + counted
        tokens += tokens_of_message(message_of_json(transcript.whole(each)["message"]))
    return _OVERHEAD + tokens


def _size_of(compaction: Compaction, messages: Sequence[PlacedMessage]) -> int:
    """Of a conversation after a compaction."""
    head = compaction.head
    return (tokens_of_message(head) if head else 0) + _size_with(messages, compaction.shortened)


def _staying(compaction: Compaction, messages: Sequence[PlacedMessage]) -> Sequence[PlacedMessage]:
    at = next((at for at, each in enumerate(messages) if each.entry == compaction.first), 0)
    return messages[at:]


def _counted(usage: object) -> int:
    if not isinstance(usage, dict):
        return 0
    counts = (usage.get("input"), usage.get("output"))
    return sum(each for each in counts if isinstance(each, int))


def _size_with(messages: Sequence[PlacedMessage], shortened: Mapping[str, str]) -> int:
    short = Compaction(shortened=shortened)
    return sum(tokens_of_message(short.applied(each.entry, each.message)) for each in messages)


def results_folder(transcript: str) -> str:
    """Where long results are stored; empty for a transcript that is only in memory."""
    return os.path.join(transcript.removesuffix(".jsonl"), "results") if transcript else ""


def stored(text: str, folder: str) -> str:
    """The path of a file with this text; empty where there is none: then the model calls the tool again."""
    if not folder:
        return ""
    data = text.encode("utf-8", "replace")
    path = os.path.join(folder, f"{hashlib.sha256(data).hexdigest()[:16]}.txt")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
    except OSError:
        return ""
    return path


def _question(cut: Cut, instructions: str, trigger: str, used: int) -> SessionBeforeCompact:
    """In the words of pi, whose modules read it."""
    preparation = {
        "firstKeptEntryId": cut.stays[0].entry if cut.stays else "",
        "messagesToSummarize": tuple(each.message for each in cut.old),
        "previousSummary": cut.before.summary,
        "tokensBefore": used,
    }
    return SessionBeforeCompact(preparation, instructions=instructions, trigger=MANUAL if trigger == MANUAL else AUTO)


def _brought(compaction: Any) -> str:
    """The summary of a module."""
    summary = compaction.get("summary") if isinstance(compaction, dict) else None
    return middle_cut(summary.strip(), _MOST_SUMMARY) if isinstance(summary, str) else ""


def _quiet(model: Callable[[], Model]) -> LoopActions:
    """For one request that is no part of the conversation."""

    async def emit(event: Any) -> Any:
        return event

    async def nothing(*_given: Any) -> Any: ...

    def none(*_given: Any) -> tuple[()]:
        return ()

    return LoopActions(model, nothing, nothing, nothing, none, nothing, emit)
