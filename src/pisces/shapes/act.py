"""Something that an extension or a settings file starts, reaches or is granted: one line of what can run or reach out.

`discovery/acts.py` makes the acts of a found item, `discovery/package_acts.py` those of a whole package. The consent
card, `info`, floating launches, the lock, `doctor`, the report and the scanner read these and nothing else.
"""

from __future__ import annotations

from pisces.shapes.field import Keys
from pisces.value import Value

HOOK = "hook"  # runs on an event
SERVER = "server"  # an MCP server that is started, or a server or agent that is reached by its address
PROGRAM = "program"  # another program that is started: a language server, a monitor, a status line
MODULE = "module"  # code that is loaded
ENVIRONMENT = "environment"  # a variable that is set, for the agent and all that it starts
GRANT = "grant"  # something is allowed in advance, or a question is left out
SOURCE = "source"  # packages or a model come from somewhere else
FILE = "file"  # a file that something else runs
EXECUTABLE = "executable"  # a program of the package that the user starts by a command
LINE = "line"  # a command line in a prompt, which runs when the prompt is used

KINDS = (HOOK, SERVER, PROGRAM, MODULE, FILE, ENVIRONMENT, GRANT, SOURCE, EXECUTABLE, LINE)


class Act(Value):
    """`text` is the command line, address, variable or grant, exactly as it would take effect; `when` says when.

    `name` is short: an event, a server's name, the key of a setting. `keys` lead to it in the file `path`. `runs` is
    what a shell or a process gets, empty where nothing is started. What `opens` takes a protection away.

    `argv` has the words of a program that is started; a line for a shell is `("sh", "-c", line)`. `url` is the address
    of what is not started here. `hosts` are all hosts that it names, `env` the variables that it is given or reads.
    A hook with a `matcher` sees only some calls.
    """

    kind: str
    name: str
    text: str
    when: str
    path: str
    keys: Keys = ()
    runs: str = ""
    opens: bool = False
    argv: tuple[str, ...] = ()
    url: str = ""
    hosts: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    matcher: str = ""
