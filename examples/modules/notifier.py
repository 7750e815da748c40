"""Tells you when the agent has worked for a while and is done: in the title, where a terminal shows it.

pisces modules test notifier.py --flag notify-after=0 --event agent_start --event agent_end
"""

import time

from pisces.events import AgentEnd, AgentStart


def extension(pisces):
    pisces.flag("notify-after", "seconds of work that are worth a word", default="20")
    started = time.monotonic()

    @pisces.on(AgentStart)
    def begin(_event):
        nonlocal started
        started = time.monotonic()

    @pisces.on(AgentEnd)
    def end(_event):
        seconds = time.monotonic() - started
        if seconds >= float(pisces.flags["notify-after"]):
            pisces.ui.title("done")
            pisces.ui.notify(f"done after {seconds:.0f} s")
