"""`--plan` starts the session read-only: the agent may look and think, not write. `/plan` switches it.

pisces modules test plan_mode.py --flag plan --event 'tool_call={"tool": "bash", "input": {"command": "ls"}}'
"""

from pisces.events import BeforeAgentStart, SessionStart, ToolCall

WRITERS = {"bash", "write", "edit"}


def extension(pisces):
    pisces.flag("plan", "start in plan mode")
    planning = False

    def switch(to):
        nonlocal planning
        planning = to
        pisces.ui.status("plan", "plan mode" if planning else None)

    @pisces.on(SessionStart)
    def start(_event):
        switch(bool(pisces.flags["plan"]))

    @pisces.command("plan")
    def toggle(_args):
        """Switches plan mode on and off."""
        switch(not planning)

    @pisces.on(BeforeAgentStart)
    def explain(event):
        return event.replace(system_prompt=f"{event.system_prompt}\nMake a plan. Change nothing.") if planning else None

    @pisces.on(ToolCall)
    def guard(event):
        return event.block("plan mode: nothing is changed") if planning and event.tool in WRITERS else None
