"""What a server may ask of us, for the SDK. Offering a callback is what advertises the ability to a server."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.client.session import ClientRequestContext

from pisces.mcp.connection import ServerError

if TYPE_CHECKING:
    from mcp import ClientSession
    from pisces.mcp.connection import Answer, ServerAsks
    from pisces.mcp.sdk_times import CallTimes

_REFUSED = -1  # what the protocol says for a user that refused
_PAUSE = 0.25  # seconds before a call is repeated that only has to wait


def callbacks(asks: ServerAsks, times: CallTimes) -> dict[str, Any]:
    """Arguments of the SDK's session: none for what is not offered."""
    made: dict[str, Any] = {}
    if asks.roots is not None:
        made["list_roots_callback"] = lambda _context: _roots(asks)
    if asks.elicit is not None:
        made["elicitation_callback"] = lambda _context, params: _elicited(asks.elicit, params, times)
    if asks.sample is not None:
        made["sampling_callback"] = lambda _context, params: _sampled(asks.sample, params, times)
    return made


async def _roots(asks: ServerAsks) -> types.ListRootsResult | types.ErrorData:
    try:
        folders = [os.path.abspath(each) for each in (asks.roots() if asks.roots is not None else ())]
    except Exception:  # noqa: BLE001  # the border with the caller: a server gets no folder and no reason
        return types.ErrorData(code=types.INTERNAL_ERROR, message="the folders cannot be listed")
    roots = [types.Root(uri=Path(each).as_uri(), name=os.path.basename(each)) for each in folders]  # type: ignore[arg-type]
    return types.ListRootsResult(roots=roots)


async def _elicited(elicit: Answer | None, params: Any, times: CallTimes) -> types.ElicitResult:
    """`mode` is `form` or `url`. Whatever goes wrong on our side is a `decline`."""
    asked = {"mode": "form", **_plain(params)}
    try:
        assert elicit is not None
        with times.paused():
            answer = await elicit(asked)
        return types.ElicitResult.model_validate(answer)
    except Exception:  # noqa: BLE001  # the border with the caller: nothing of our error goes to the server
        return types.ElicitResult(action="decline")


async def _sampled(sample: Answer | None, params: Any, times: CallTimes) -> Any:
    try:
        assert sample is not None
        with times.paused():
            answer = await sample(_plain(params))
        made = (
            types.CreateMessageResultWithTools if isinstance(answer.get("content"), list) else types.CreateMessageResult
        )
        return made.model_validate(answer)
    except Exception:  # noqa: BLE001  # the border with the caller: nothing of our error goes to the server
        return types.ErrorData(code=_REFUSED, message="the user refused to sample")


async def input_given(session: ClientSession, answer: dict[str, Any]) -> dict[str, Any]:
    """What a call is repeated with, in the newer protocol: there a server asks by its answer."""
    wanted = types.InputRequiredResult.model_validate(answer, by_name=False)
    given: dict[str, Any] = {}
    for key, request in (wanted.input_requests or {}).items():
        context = ClientRequestContext(session=session, request_id=key)
        said = await session.dispatch_input_request(context, request)
        if isinstance(said, types.ErrorData):
            raise ServerError(said.message, said.code)
        given[key] = _plain(said)
    made: dict[str, Any] = {"inputResponses": given} if given else {}
    if wanted.request_state is not None:
        made["requestState"] = wanted.request_state
    if not given:
        await asyncio.sleep(_PAUSE)
    return made


def _plain(params: Any) -> dict[str, Any]:
    plain: dict[str, Any] = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return plain
