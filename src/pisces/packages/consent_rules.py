"""What can go wrong between a consent card and its answer."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

CONSENT_NEEDED = Rule(
    "consent-needed",
    ERROR,
    "Nobody has agreed to this package yet",
    "Consent is bound to the hash of every file. Without a terminal it is given by naming that hash.",
    "pisces extensions install SOURCE < /dev/null",
    "pisces extensions install SOURCE --accept sha256:...",
)
CONSENT_REFUSED = Rule(
    "consent-refused",
    ERROR,
    "The consent that was asked for was not given",
    "Nothing was changed. An empty line, an end of input or Ctrl-C all mean no.",
    "Install it? [y/N]",
    "Answer y, or name the hash with --accept.",
)
WRONG_HASH = Rule(
    "consent-hash-differs",
    ERROR,
    "The hash that was agreed to is not the hash of what was fetched",
    "Somebody changed the package since the card was read. Nothing was installed.",
    "--accept sha256:1111...",
    "Read the new card, then name its hash.",
)
