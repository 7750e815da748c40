"""A question about a call that changes a file, asked in the terminal and shown in the connected editor: the first
answer counts, and the other side closes.

The user may change the proposed text in the editor. What they accepted then becomes the input of the call, which
everybody judges again before it runs.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.formats.json_copy import json_copy, same_json
from pisces.gates.judge import USER
from pisces.host.confirming import InputChanged
from pisces.shapes.request import ToolRequest
from pisces.shapes.tool import ToolFailed
from pisces.shapes.verdict import ALLOW, DENY, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.host.options import Approve
    from pisces.ide.client.client import IdeClient
    from pisces.ide.client.diff import ClientDiff
    from pisces.shapes.request import Request
    from pisces.tools.proposed import Proposed
    from pisces.tools.workbench import FilesSeen

_EDIT = "edit"
_IN_EDITOR = "the user {} it in the editor"


class EditReview:
    """An `approve` around another one. `client` is None where no editor was looked for."""

    def __init__(
        self, approve: Approve, client: Callable[[], IdeClient | None], folder: Callable[[], str], seen: FilesSeen
    ) -> None:
        self._approve, self._client, self._folder, self._seen = approve, client, folder, seen
        self._accepted: dict[str, tuple[str, Any]] = {}  # path and input, by call
        self._closing: set[asyncio.Future[Any]] = set()

    def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Any:
        """Raises `InputChanged` where the user accepted another text, when it is awaited."""
        client = self._client()
        if not isinstance(request, ToolRequest) or not _can_show(client):
            return self._approve(request, questions)
        path, accepted = self._accepted.pop(request.call.call_id, ("", None))
        if accepted is not None and same_json(accepted, request.call.input):
            self._seen.amended(path)
            return Verdict(ALLOW, USER, _IN_EDITOR.format("accepted"))
        return self._reviewed(request, questions, client)

    async def _reviewed(self, request: ToolRequest, questions: tuple[Verdict, ...], client: Any) -> Any:
        try:
            call = request.call
            proposing = export_of("pisces.tools", "proposed", "proposed_text")
            proposed = await asyncio.to_thread(proposing, call.tool, call.input, self._folder())
        except ToolFailed:  # it will fail by itself, and say why
            proposed = None
        said: Any = self._approve(request, questions)
        if not hasattr(said, "__await__") or proposed is None:
            return await said if hasattr(said, "__await__") else said
        asked = asyncio.ensure_future(said)
        try:
            await asyncio.sleep(0)  # one who answers without asking anybody has answered now
            return asked.result() if asked.done() else await self._first(request, proposed, asked, client)
        finally:
            asked.cancel()

    async def _first(self, request: ToolRequest, proposed: Proposed, said: asyncio.Future[Any], client: Any) -> Any:
        opening: asyncio.Future[ClientDiff] = asyncio.ensure_future(client.open_diff(proposed.path, proposed.after))
        shown = asyncio.ensure_future(_answer(opening))
        try:
            await asyncio.wait((said, shown), return_when=asyncio.FIRST_COMPLETED)
            if said.done():
                return await self._by_terminal(request, proposed, said.result(), opening)
            outcome = shown.result()
            if not outcome.is_accepted:
                return Verdict(DENY, USER, _IN_EDITOR.format("rejected"))
            return self._accept(request, proposed, outcome.content)
        finally:
            shown.cancel()
            self._close_later(opening)

    async def _by_terminal(
        self, request: ToolRequest, proposed: Proposed, said: Any, opening: asyncio.Future[ClientDiff]
    ) -> Any:
        """What was typed in the editor until then counts, too, if the answer is yes."""
        is_allowed = said is True or (isinstance(said, Verdict) and said.is_allowed)
        if not is_allowed or not opening.done() or opening.cancelled() or opening.exception() is not None:
            return said
        outcome = await opening.result().accept()
        self._check(request, proposed, outcome.content)
        return said

    def _accept(self, request: ToolRequest, proposed: Proposed, content: str | None) -> Verdict:
        self._check(request, proposed, content)
        return Verdict(ALLOW, USER, _IN_EDITOR.format("accepted"))

    def _check(self, request: ToolRequest, proposed: Proposed, content: str | None) -> None:
        """Raises `InputChanged` if the accepted text is another one."""
        if content is not None and "\r" not in proposed.after:
            content = content.replace("\r\n", "\n")
        if content is None or content == proposed.after:
            return
        before = request.call.input
        changed = {"path": before["path"], "content": content}
        if request.call.tool == _EDIT:
            changed = {"path": before["path"], "old": proposed.before or "", "new": content}
        self._accepted[request.call.call_id] = (proposed.path, json_copy(changed))
        raise InputChanged(request.replace(call=request.call.replace(input=changed)))

    def _close_later(self, opening: asyncio.Future[ClientDiff]) -> None:
        """An editor that is just opening the view shows it first: nobody waits for that."""
        closing = asyncio.ensure_future(_closed(opening))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


def _can_show(client: IdeClient | None) -> bool:
    return client is not None and client.connection is not None and client.connection.can_diff


async def _answer(opening: asyncio.Future[ClientDiff]) -> Any:
    """The editor's answer. One that shows nothing never answers."""
    try:
        diff = await asyncio.shield(opening)
    except Exception:  # noqa: BLE001  # whatever an editor does, the terminal can answer
        diff = None
    if diff is None or diff.failure:
        return await asyncio.get_running_loop().create_future()
    return await diff.answer()


async def _closed(opening: asyncio.Future[ClientDiff]) -> None:
    try:
        diff = await opening
    except Exception:  # noqa: BLE001  # there is nothing to close
        return
    await diff.reject()
