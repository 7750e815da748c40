"""Brings skills of its own: the folder `skills` beside the project's `team` folder is looked at, too.

pisces modules test team_skills.py --event 'resources_discover={"cwd": "."}'
"""

import os

from pisces.events import ResourcesDiscover


def extension(pisces):
    @pisces.on(ResourcesDiscover)
    def add(event):
        folder = os.path.join(event.cwd, "team", "skills")
        return event.adding(skills=[folder]) if os.path.isdir(folder) else None
