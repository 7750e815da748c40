"""Adds to the system prompt what this project wants every answer to keep to: the file CONVENTIONS.md, if it is there.

pisces modules test prompt_header.py --cwd . --event 'before_agent_start={"prompt": "go"}'
"""

import os

from pisces.events import BeforeAgentStart


def extension(pisces):
    @pisces.on(BeforeAgentStart)
    def add(event):
        path = os.path.join(pisces.cwd, "CONVENTIONS.md")
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8") as file:
            return event.replace(system_prompt=f"{event.system_prompt}\n\n# Conventions\n{file.read()}")
