"""Tells you when a module breaks, its own name and the event first. Failures are events like any other.

pisces modules test failure_report.py \
  --event 'extension_error={"module": "x.py", "event": "Input", "message": "broke"}'
"""

import os

from pisces.events import ModuleFailed


def extension(pisces):
    @pisces.on(ModuleFailed)
    def tell(event):
        pisces.ui.notify(f"{os.path.basename(event.module)} at {event.event}: {event.message}", "error")
