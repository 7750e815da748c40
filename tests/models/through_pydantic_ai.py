"""Runs in the environment of the oracles: asks a model through pydantic-ai, a line of JSON each.

In: {"provider", "model", "messages", "system", "tools", "thinking", "cancel"}.
Out: {"deltas", "answer", "stop", "usage"}, {"failed", "status", "passing", "after"} or {"cancelled"}.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from pisces.agent.message_json import json_of_message, message_of_json
from pisces.models.choosing import ModelChoice, model_of
from pisces.models.model import ModelFacts
from pisces.models.wire import ModelAsk, ModelFailed
from pisces.places import Places
from pisces.shapes.tool import Tool


async def asked(given: dict[str, Any]) -> dict[str, Any]:
    facts = ModelFacts(given["model"], given["provider"], "pydantic_ai")
    model = model_of(ModelChoice(facts, "pydantic_ai"), Places("/", "/", {}))
    tools = [Tool(each["name"], each["description"], each["parameters"], _never) for each in given.get("tools", ())]
    messages = tuple(message_of_json(each) for each in given["messages"])
    ask = ModelAsk("", messages, given.get("system", ""), tools, thinking=given.get("thinking", ""))
    deltas: list[list[str]] = []
    try:
        async with model.answering(ask) as stream:
            async for delta in stream:
                deltas.append([type(delta).__name__, delta.text])
                if given.get("cancel"):
                    await asyncio.wait_for(asyncio.Event().wait(), 0.01)
            answer = stream.whole()
    except TimeoutError:
        return {"cancelled": True}
    except ModelFailed as failed:
        return {"failed": str(failed), "status": failed.status, "passing": failed.is_passing, "after": failed.after}
    return {
        "deltas": deltas,
        "answer": json_of_message(answer.message),
        "stop": answer.stop,
        "usage": answer.usage.as_json(),
    }


def _never(_given: object, _context: object = None) -> str:
    raise AssertionError("tools are only described here")


async def main() -> None:
    for line in sys.stdin:
        print(json.dumps(await asked(json.loads(line))), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
