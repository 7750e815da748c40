"""Secrets in what tools print never reach the model.

pisces modules test redactor.py \
  --event 'tool_result={"tool": "bash", "input": {}, "content": [{"type": "text", "text": "sk-abcdefghijklmnop1"}]}'
"""

import re

from pisces.events import ToolResult

SECRET = re.compile(r"\b(sk-[A-Za-z0-9_-]{16,}|ghp_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16})\b")


def extension(pisces):
    @pisces.on(ToolResult, priority=100)  # before anybody else sees it
    def redact(event):
        text, count = SECRET.subn("[redacted]", event.text)
        if not count:
            return None
        pisces.ui.notify(f"{count} secret(s) of {event.tool} were hidden from the model", "warning")
        return event.with_text(text)
