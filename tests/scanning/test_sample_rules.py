"""Which rule finds which sample: an error for another reason would hide a rule that finds nothing any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scanning.scanning import told
from tests.scanning.test_samples import SAMPLES

FOUND_BY = [
    ("scan-clipboard", "fourth-har-clip"),
    ("scan-built-code", "sitecustomize"),
    ("scan-defences-off", "ninth-ps-amsi"),
    ("scan-destroy-order", "amazon-q-wiper"),
    ("scan-destruction", "wiper-hook"),
    ("scan-download-run", "download-chmod-run"),
    ("scan-download-run", "ninth-curl-o-later"),
    ("scan-download-run", "ninth-curl-chmod-two-files"),
    ("scan-fetched-code", "py-revshell-subprocess-loop"),
    ("scan-fixed-payee", "ninth-wallet-drainer"),
    ("scan-foreign-key", "tenth-mcp-env-key-foreign-host"),
    ("scan-foreign-key", "tenth-mcp-remote-sse-ip"),
    ("scan-foreign-package", "npm-git-in-hook"),
    ("scan-foreign-package", "tenth-install-other-plugin-silently"),
    ("scan-hidden-act", "mail-order-in-skill"),
    ("scan-input-sent", "discord-webhook-transcript"),
    ("scan-secrets-sent", "s1ngularity-postinstall"),
    ("scan-locked-archive", "clawhavoc-password-zip"),
    ("scan-mail-copy", "postmark-bcc"),
    ("scan-miner", "ninth-miner"),
    ("scan-name-query", "dns-exfil-dig"),
    ("scan-near-name", "typosquat-npx"),
    ("scan-obey-order", "ignore-instructions-plain"),
    ("scan-pasted-command", "clawhavoc-password-zip"),
    ("scan-pickle", "pickle-file"),
    ("scan-reverse-shell", "py-revshell-in-skill-script"),
    ("scan-reverse-shell", "tenth-perl-revshell-args"),
    ("scan-secrets-sent", "tenth-gh-gist-upload"),
    ("scan-secrets-sent", "tenth-skill-reference-file-payload"),
    ("scan-secrets-sent", "tenth-npm-publish-token-steal"),
    ("scan-secrets-sent", "tenth-env-dump-http-header"),
    ("scan-leak-order", "tenth-order-in-image-alt"),
    ("scan-leak-order", "eleventh-skill-two-hop-ref"),
    ("scan-remote-shell", "tenth-cursor-mcp-deeplink-readme"),
    ("scan-remote-shell", "tenth-rot13-codecs"),
    ("scan-fetched-code", "tenth-lua-os-execute"),
    ("scan-fetched-code", "tenth-powershell-iex"),
    ("scan-built-code", "tenth-image-carrier"),
    ("scan-obey-order", "tenth-soul-md-memory-poison"),
    ("scan-input-sent", "tenth-statusline-command"),
    ("scan-input-sent", "thirteenth-statusline-beacon"),
    ("scan-leak-order", "twelfth-tool-poison-sidenote"),
    ("scan-leak-order", "twelfth-gemini-md-url-image"),
    ("scan-obey-order", "twelfth-clawswarm-enroll"),
    ("scan-obey-order", "twelfth-memory-poison"),
    ("scan-hidden-act", "twelfth-clawswarm-enroll"),
    ("scan-foreign-package", "twelfth-npm-url-dep"),
]


@pytest.mark.parametrize(("code", "name"), FOUND_BY)
def test_this_rule_finds_it(code: str, name: str, tmp_path: Path) -> None:
    assert code in {each for each, _ in told(tmp_path, SAMPLES[name])}
