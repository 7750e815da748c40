"""Long results of tools are sent to the model in full while they are new, then as their first line.

pisces modules test context_pruner.py --event 'context={"messages": [{"role": "user", "content": "hi"}]}'
"""

from pisces.events import Context

LONG = 400


def extension(pisces):
    pisces.flag("keep-results", "how many results of tools stay whole", default="5")

    @pisces.on(Context)
    def prune(event):
        results = [number for number, each in enumerate(event.messages) if each.get("role") == "toolResult"]
        old = set(results[: -int(pisces.flags["keep-results"])])
        messages = [shortened(each) if number in old else each for number, each in enumerate(event.messages)]
        return event.replace(messages=messages)


def shortened(message):
    text = "".join(part.get("text", "") for part in message["content"])
    if len(text) <= LONG:
        return message
    first = f"{text.splitlines()[0][:LONG]} [... {len(text)} characters, shortened]"
    return {**message, "content": [{"type": "text", "text": first}]}
