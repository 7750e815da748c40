"""What a server may ask of us, for the SDK. Offering a callback is what advertises the ability to a server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_types as types

if TYPE_CHECKING:
    from pisces.mcp.connection import Answer, ServerAsks

_REFUSED = -1  # what the protocol says for a user that refused


def callbacks(asks: ServerAsks) -> dict[str, Any]:
    """Arguments of the SDK's session: none for what is not offered."""
    made: dict[str, Any] = {}
    if asks.roots is not None:
        made["list_roots_callback"] = lambda _context: _roots(asks)
    if asks.elicit is not None:
        made["elicitation_callback"] = lambda _context, params: _elicited(asks.elicit, params)
    if asks.sample is not None:
        made["sampling_callback"] = lambda _context, params: _sampled(asks.sample, params)
    return made


async def _roots(asks: ServerAsks) -> types.ListRootsResult | types.ErrorData:
    try:
        folders = [os.path.abspath(each) for each in (asks.roots() if asks.roots is not None else ())]
    except Exception:  # noqa: BLE001  # the border with the caller: a server gets no folder and no reason
        return types.ErrorData(code=types.INTERNAL_ERROR, message="the folders cannot be listed")
    roots = [types.Root(uri=Path(each).as_uri(), name=os.path.basename(each)) for each in folders]  # type: ignore[arg-type]
    return types.ListRootsResult(roots=roots)


async def _elicited(elicit: Answer | None, params: Any) -> types.ElicitResult:
    """`mode` is `form` or `url`. Whatever goes wrong on our side is a `decline`."""
    asked = {"mode": "form", **_plain(params)}
    try:
        assert elicit is not None
        return types.ElicitResult.model_validate(await elicit(asked))
    except Exception:  # noqa: BLE001  # the border with the caller: nothing of our error goes to the server
        return types.ElicitResult(action="decline")


async def _sampled(sample: Answer | None, params: Any) -> Any:
    try:
        assert sample is not None
        answer = await sample(_plain(params))
        made = (
            types.CreateMessageResultWithTools if isinstance(answer.get("content"), list) else types.CreateMessageResult
        )
        return made.model_validate(answer)
    except Exception:  # noqa: BLE001  # the border with the caller: nothing of our error goes to the server
        return types.ErrorData(code=_REFUSED, message="the user refused to sample")


def _plain(params: Any) -> dict[str, Any]:
    plain: dict[str, Any] = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return plain
