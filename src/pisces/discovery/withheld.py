"""Names of files and folders whose content is never given to a model, however a prompt or a context file names them."""

from __future__ import annotations

import re

# With the short names that Windows has for them.
_WITHHELD = re.compile(
    r"\.git|\.env|node_modules|gha-creds-.*\.json"
    r"|(?:git|gi[0-9a-f]{4}|env|en[0-9a-f]{4}|node_m|no[0-9a-f]{4})~\d+|(?:gha-cr|gh[0-9a-f]{4})~\d+\.json?"
)

# A file of examples is meant to be read.
_SECRETS = re.compile(
    r"\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:\..+)?|[._]netrc|\.pgpass|\.pypirc|\.git-credentials"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|gha-creds-.*\.json|(?:env|en[0-9a-f]{4})~\d+"
)


def holds_secrets(path: str) -> bool:
    """Whether a file is usually full of keys and passwords, by its name: nobody gives it to a model unasked."""
    name = re.split(r"[/\\]", path)[-1]
    return bool(_SECRETS.fullmatch(name.split(":", 1)[0].rstrip(" .").lower()))


def is_withheld(name: str) -> bool:
    return bool(_WITHHELD.fullmatch(name.split(":", 1)[0].rstrip(" .").lower()))
