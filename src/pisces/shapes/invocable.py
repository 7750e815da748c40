"""What the headers of commands and skills have in common: who may invoke it, with which tools, model and arguments."""

from __future__ import annotations

from pisces.shapes.field import Flag, Table, Text, WordList
from pisces.value import Value


class Invocable(Value):
    """Subclasses have `fields`, the header as found."""

    when_to_use = Text("when_to_use")
    arguments = WordList("arguments")
    allowed_tools = WordList("allowed-tools", "allowed_tools", "allowedTools")
    disallowed_tools = WordList("disallowed-tools")
    model = Text("model")
    effort = Text("effort")
    agent = Text("agent")
    context = Text("context")
    subtask = Flag("subtask")
    disable_model_invocation = Flag("disable-model-invocation")
    user_invocable = Flag("user-invocable", "user-invokable", "user_invocable", "user_invokable")
    hooks = Table("hooks")
    paths = WordList("paths", "globs")
    shell = Text("shell")
