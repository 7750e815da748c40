"""What can go wrong between a consent card and its answer."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

CONSENT_NEEDED = Rule("consent-needed", ERROR, "Nobody has agreed to this package yet")
CONSENT_REFUSED = Rule("consent-refused", ERROR, "The consent that was asked for was not given")
WRONG_HASH = Rule("consent-hash-differs", ERROR, "The hash that was agreed to is not the hash of what was fetched")
