"""A widget above the editor with turns, calls of tools, and how full the context is.

pisces modules test usage_widget.py --event turn_end
"""

from pisces.events import SessionStart, ToolExecutionEnd, TurnEnd


def extension(pisces):
    turns = calls = 0

    def draw():
        usage = pisces.host.context_usage() or {}
        pisces.ui.widget("usage", [f"turns {turns}  tools {calls}  context {usage.get('percent') or 0:.0f} %"])

    @pisces.on(SessionStart)
    def start(_event):
        draw()

    @pisces.on(TurnEnd)
    def turn(_event):
        nonlocal turns
        turns += 1
        draw()

    @pisces.on(ToolExecutionEnd)
    def tool(_event):
        nonlocal calls
        calls += 1
