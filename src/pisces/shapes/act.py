"""Something that an extension or a settings file does without being asked each time."""

from __future__ import annotations

from pisces.shapes.field import Keys
from pisces.value import Value

HOOK = "hook"  # runs on an event
SERVER = "server"  # an MCP server that is started, or reached by its address
PROGRAM = "program"  # a setting that names a program, such as a status line
MODULE = "module"  # code that is loaded
ENVIRONMENT = "environment"  # a variable that is set, for the agent and all that it starts
GRANT = "grant"  # something is allowed in advance, or a question is left out
SOURCE = "source"  # packages or a model come from somewhere else
FILE = "file"  # a file that something else runs

KINDS = (HOOK, SERVER, PROGRAM, MODULE, FILE, ENVIRONMENT, GRANT, SOURCE)


class Act(Value):
    """`text` is the command line, address, variable or grant, exactly as it would take effect; `when` says when.

    `name` is short: an event, a server's name, the key of a setting. `keys` lead to it in the file `path`. `runs` is
    what a shell or a process gets, empty where nothing is started. What `opens` takes a protection away.
    """

    kind: str
    name: str
    text: str
    when: str
    path: str
    keys: Keys = ()
    runs: str = ""
    opens: bool = False
