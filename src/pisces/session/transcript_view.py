"""The transcript as modules see it: entries are mappings in the shapes that modules know."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_entry import LABEL, MESSAGE, MODEL, NAMED
from pisces.session.module_messages import spelled
from pisces.shapes.events.session import SessionRenamed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.agent.transcript_entry import TranscriptEntry
    from pisces.session.session import Session

_KINDS = {MODEL: "model_change", "thinking": "thinking_level_change", NAMED: "session_info"}


class TranscriptView:
    """An entry that was seen before is the same mapping: whoever mirrors them sends only what is new. While nothing is
    appended, asking costs nothing, and afterwards it costs what was appended.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._at = ("", "")  # which session, and which entry of it, the lists below end with
        self._branch: list[Mapping[str, Any]] = []
        self._entries: list[Mapping[str, Any]] = []

    def entries(self) -> Sequence[Mapping[str, Any]]:
        self._look()
        return tuple(self._entries)

    def branch(self) -> Sequence[Mapping[str, Any]]:
        self._look()
        return tuple(self._branch)

    @property
    def id(self) -> str:
        return self._session.transcript.id

    @property
    def file(self) -> str:
        return self._session.transcript.path

    @property
    def name(self) -> str:
        return self._session.transcript.name

    def set_name(self, name: str) -> None:
        self._session.transcript.set_name(name)
        self._session.announce(SessionRenamed(name))

    def label(self, entry_id: str, label: str | None) -> None:
        self._session.transcript.append(LABEL, {"entry": entry_id, "label": label})

    def _look(self) -> None:
        transcript = self._session.transcript
        now = transcript.id, transcript.leaf
        if now == self._at:
            return
        new = list(itertools.takewhile(lambda each: each.id != self._at[1], transcript.newest()))[::-1]
        if self._at[0] == now[0] and new and new[0].parent == self._at[1]:
            added = list(map(_spelled_entry, new))
            self._branch += added
            self._entries += added
        else:  # another session, or another branch of it
            made = {each.id: _spelled_entry(each) for each in transcript.each_entry()}
            self._entries = list(made.values())
            self._branch = [made.get(each.id) or _spelled_entry(each) for each in transcript.branch]
        self._at = now


def _spelled_entry(entry: TranscriptEntry) -> Mapping[str, Any]:
    made = {"type": _KINDS.get(entry.kind, entry.kind), "id": entry.id, "parentId": entry.parent, **entry.fields}
    if entry.kind == MESSAGE:
        made["message"] = _spelled_message(entry.fields.get("message"))
        if "customType" in entry.fields:
            made.update(type="custom_message", content=made["message"].get("content"))
    return made


def _spelled_message(message: Any) -> dict[str, Any]:
    """Several results of one message are one entry: each entry is one message."""
    try:
        found = spelled(message_of_json(message))
    except (ValueError, KeyError, TypeError, AttributeError):
        return {"role": "user", "content": []}
    return found[0] if len(found) == 1 else {**found[0], "others": found[1:]}
