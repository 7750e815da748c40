"""Names of files and folders whose content is never given to a model, however a prompt or a context file names them."""

from __future__ import annotations

import re

# With the short names that Windows has for them.
_WITHHELD = re.compile(
    r"\.git|\.env|node_modules|gha-creds-.*\.json"
    r"|(?:git|gi[0-9a-f]{4}|env|en[0-9a-f]{4}|node_m|no[0-9a-f]{4})~\d+|(?:gha-cr|gh[0-9a-f]{4})~\d+\.json?"
)


def is_withheld(name: str) -> bool:
    return bool(_WITHHELD.fullmatch(name.split(":", 1)[0].rstrip(" .").lower()))
