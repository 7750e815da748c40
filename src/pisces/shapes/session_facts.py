"""What hooks and rules learn about the session in which something happens."""

from __future__ import annotations

from pisces.value import Value

# Approval modes belong to the user: no extension can change them.
MODE_ASK = "ask"  # what changes something is asked about
MODE_EDITS = "edits"  # files of the workspace may be edited without a question
MODE_PLAN = "plan"  # nothing may be changed
MODE_ALL = "all"  # everything runs that nobody denies or wants to be asked about
MODES = (MODE_ASK, MODE_EDITS, MODE_PLAN, MODE_ALL)


class SessionFacts(Value):
    """`cwd` is the current folder, which may move; `workspace` is where the session was opened and stays.

    `home` is the user's. `transcript` is the path of a file that may not exist. `agent` and `agent_id` are set inside
    a subagent. `is_interactive` says whether somebody can be asked. `plans` is the folder that the mode `plan` leaves
    open; empty for none.
    """

    cwd: str
    workspace: str
    home: str
    id: str = ""
    transcript: str = ""
    model: str = ""
    mode: str = MODE_ASK
    effort: str = ""
    prompt_id: str = ""
    turn_id: str = ""
    agent: str = ""
    agent_id: str = ""
    is_interactive: bool = True
    is_trusted: bool = True
    plans: str = ""
