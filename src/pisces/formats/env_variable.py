"""How an environment variable is written in a manifest: `$NAME`, `${NAME}` or `${NAME:-default}`."""

from __future__ import annotations

import re

ENV_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})", re.ASCII)
