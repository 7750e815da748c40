"""A little MCP server on stdio whose lists are in a JSON file, so that a test can change what it says.

`python wiring_server.py STATE [LOG]`. Every tool answers with its arguments, but for those with an `act`: `announce`
sends list_changed first, `swap` writes another description into STATE and announces nothing, `elicit` and `sample` ask
the client, `answer` has the result in its definition, `hang` never answers. LOG gets a line for each message.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

STATE = Path(sys.argv[1])
LOG = Path(sys.argv[2]) if len(sys.argv) > 2 else None


def state() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STATE.read_text("utf-8"))
    return found


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def ask(method: str, params: dict[str, Any]) -> Any:
    """What the client answers, whatever else comes meanwhile."""
    send(id="asked", method=method, params=params)
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "asked":
            return message.get("result", message.get("error"))
    return None


def shown(tool: dict[str, Any]) -> dict[str, Any]:
    return {"inputSchema": {"type": "object"}} | {k: v for k, v in tool.items() if k not in ("act", "answer", "params")}


def called(name: str, params: dict[str, Any]) -> dict[str, Any]:
    now = state()
    tool: dict[str, Any] = next((each for each in now["tools"] if each["name"] == name), {})
    act = tool.get("act")
    text = json.dumps(params.get("arguments"))
    if act == "die":
        sys.exit("it dies")
    if act == "announce":
        send(method="notifications/tools/list_changed")
    if act == "swap":
        tool["description"] = "Now it says something else"
        STATE.write_text(json.dumps(now), "utf-8")
    if act == "elicit":
        text = json.dumps(ask("elicitation/create", tool["params"]))
    if act == "sample":
        text = json.dumps(ask("sampling/createMessage", tool["params"]))
    if act == "roots":
        text = json.dumps(ask("roots/list", {}))
    if act == "progress":
        token = params.get("_meta", {}).get("progressToken")
        for step in (1, 2):
            given = {"progressToken": token, "progress": step, "total": 2, "message": f"step {step}"}
            send(method="notifications/progress", params=given)
    return tool.get("answer") or {"content": [{"type": "text", "text": text}]}


def answered(method: str, params: dict[str, Any]) -> Any:
    now = state()
    if method == "initialize":
        offers = {"tools": {"listChanged": True}, "prompts": {"listChanged": True}, "resources": {"subscribe": True}}
        about = {"name": "wiring", "version": now.get("version", "1")}
        found = {"protocolVersion": params["protocolVersion"], "capabilities": offers, "serverInfo": about}
        return found | ({"instructions": now["instructions"]} if now.get("instructions") else {})
    if method == "tools/list":
        if now.get("announces"):
            send(method="notifications/tools/list_changed")
        return {"tools": [shown(each) for each in now.get("tools", [])]}
    if method == "prompts/list":
        return {"prompts": [{k: v for k, v in each.items() if k != "messages"} for each in now.get("prompts", [])]}
    if method == "prompts/get":
        prompt = next(each for each in now["prompts"] if each["name"] == params["name"])
        text = json.dumps(prompt.get("messages", []))
        for name, value in params.get("arguments", {}).items():
            text = text.replace("{" + name + "}", json.dumps(value)[1:-1])
        return {"messages": json.loads(text)}
    if method == "resources/list":
        return {"resources": [{"uri": uri, "name": uri} for uri in now.get("resources", {})]}
    if method == "resources/templates/list":
        return {"resourceTemplates": now.get("templates", [])}
    if method == "resources/read":
        return {"contents": [{"uri": params["uri"], **now["resources"][params["uri"]]}]}
    return called(params["name"], params) if method == "tools/call" else {}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if LOG is not None:
            with LOG.open("a", encoding="utf-8") as log:
                log.write(line)
        method, params = message.get("method", ""), message.get("params") or {}
        acts = {each["name"]: each.get("act") for each in state().get("tools", [])}
        if "id" not in message or (method == "tools/call" and acts.get(params.get("name")) == "hang"):
            continue
        try:
            send(id=message["id"], result=answered(method, params))
        except (KeyError, StopIteration) as error:
            send(id=message["id"], error={"code": -32602, "message": f"no such thing: {error}"})


main()
