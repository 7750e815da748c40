"""Values that walk past handlers: their classes for authors of modules, emitting them, time limits.

`from pisces.events import ToolCall`: the names of this package are public, the files in it are not.
"""

from __future__ import annotations

from pisces.shapes.event import Event as Event
from pisces.shapes.events import *  # noqa: F403  # one list of events, in `pisces.shapes.events`
