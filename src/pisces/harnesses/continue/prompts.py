"""Continue's prompts: what is typed follows the text; placeholders of the editors' templates stay as they are."""

from __future__ import annotations

from pisces.commands.prompts.plain_prompts import expand as expand
