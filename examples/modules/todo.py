"""A to-do list for the model. It lives in the transcript, so a resumed session still has it.

pisces modules test todo.py --tool 'todo={"action": "add", "text": "buy milk"}' --command /todos
"""

from typing import Literal


def extension(pisces):
    def todos():
        kept = [entry["data"] for entry in pisces.session.branch() if entry.get("customType") == "todos"]
        return list(kept[-1]) if kept else []

    def shown(items):
        lines = [f"[{'x' if item['done'] else ' '}] {number} {item['text']}" for number, item in enumerate(items, 1)]
        return "\n".join(lines) or "nothing to do"

    @pisces.tool()
    def todo(action: Literal["list", "add", "done"], text: str = "", number: int = 0):
        """Keeps the list of what is to be done. `add` takes a text, `done` the number of an item."""
        items = todos()
        if action == "add":
            items.append({"text": text, "done": False})
        elif action == "done":
            items[number - 1] = {**items[number - 1], "done": True}
        pisces.append_entry("todos", items)
        pisces.ui.status("todo", f"{sum(not item['done'] for item in items)} to do")
        return shown(items)

    @pisces.command("todos")
    def show(_args):
        """What is on the list."""
        pisces.ui.notify(shown(todos()))
