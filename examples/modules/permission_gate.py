"""Asks before the agent runs a dangerous shell command.

pisces modules test permission_gate.py --answer no \
  --event 'tool_call={"tool": "bash", "input": {"command": "sudo reboot"}}'
"""

import re

from pisces.events import ToolCall

DANGEROUS = re.compile(r"\brm\s+-\w*[rf]|\bsudo\b|\bchmod\s+777|\bmkfs\b|\bdd\s+if=")


def extension(pisces):
    @pisces.on(ToolCall)
    async def ask(event):
        command = event.input.get("command", "")
        if event.tool != "bash" or not DANGEROUS.search(command):
            return None
        if await pisces.ui.confirm("Dangerous command", command):
            return None
        return event.block(f"the user did not allow `{command}`")
