"""Shows in the status line which turn it is and whether the agent works.

pisces modules test status_line.py --event turn_start --event agent_end
"""

from pisces.events import AgentEnd, SessionStart, TurnStart


def extension(pisces):
    @pisces.on(SessionStart)
    def ready(_event):
        pisces.ui.status("turns", "ready")

    @pisces.on(TurnStart)
    def working(event):
        pisces.ui.status("turns", f"turn {event.turn_index + 1} ...")

    @pisces.on(AgentEnd)
    def done(_event):
        pisces.ui.status("turns", "done")
