"""What a hook or a module says beside its decision: a text for the model, a message for the user, a wish to stop."""

from __future__ import annotations

from pisces.value import Value

CONTEXT = "context"  # for the model, beside the prompt or the result
MESSAGE = "message"  # for the user
STOP = "stop"  # the session should end; the text is the reason


class Note(Value):
    """`who` names the hook or the module that said so."""

    kind: str
    text: str
    who: str = ""
