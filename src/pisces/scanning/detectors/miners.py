"""Programs that spend the machine's time on somebody's coins, and that pay to an address of their own."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import SOURCE
from pisces.scanning.secret_sources import KEY_FILES

MINER = Rule("scan-miner", ERROR, "A program mines coins")
FIXED_PAYEE = Rule("scan-fixed-payee", ERROR, "Money goes to an address that is written into the program")

_MINES = (
    clue(
        "mines coins",
        r"\bstratum\d?\+(?:tcp|ssl|tls)://|\bxmrig\b(?=[^\n]{0,120}(?:\s-[ou]\s|--(?:url|user|donate)))|--donate-level\b"
        r"|\bcoinhive\.(?:min\.js|Anonymous)",
        *("stratum*", "xmrig", "donate-level", "coinhive"),
    ),
)
_ADDRESS = r"(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|bc1[a-z0-9]{25,60})"
_PAYS = (
    clue(
        "pays to an address of its own",
        rf"\b(?:toPubkey|to|recipient|destination|receiver|payee)[\"']?\s{{0,4}}[:=]\s{{0,4}}(?:new\s{{1,4}}\w{{1,20}}\(\s{{0,4}}|\w{{1,20}}\()?"
        rf"[\"'`]{_ADDRESS}[\"'`]",
        *("topubkey", "to", "recipient", "destination", "receiver", "payee"),
    ),
)
_TRANSFER = re.compile(
    r"\b(?:sendTransaction|send_transaction|sendRawTransaction|send_raw_transaction|sendAndConfirmTransaction"
    r"|SystemProgram\.transfer|signAndSendTransaction|signTransaction|sign_transaction)\b"
)
_ALL_OF_IT = re.compile(r"\bget_?[bB]alance\(|\bKeypair\.fromSecretKey\(|\bprivate_?[kK]ey\b|\bmnemonic\b")
_TRANSFERS = frozenset(
    b"sendtransaction send sendrawtransaction sendandconfirmtransaction transfer signandsendtransaction signtransaction"
    b" sign".split()
)


def _find(page: Page) -> Diagnostics:
    for each, found in seen(page, _MINES):
        yield page.weighed_in_program(MINER, found.start(), f"`{excerpt(found[0])}` {each.what}")
    if page.role != SOURCE or _TRANSFERS.isdisjoint(page.tokens) or not _TRANSFER.search(page.text):
        return
    pays = first(page, _PAYS)
    if pays:
        finding = page.weighed_in_program(FIXED_PAYEE, pays[1].start(), f"`{excerpt(pays[1][0])}` {pays[0].what}")
        is_sure = bool(first(page, KEY_FILES)) or bool(_ALL_OF_IT.search(page.text))
        yield finding if is_sure or finding.severity != ERROR else finding.replace(severity=WARNING)


DETECTOR = Detector("programs that mine coins or pay to themselves", _find, in_plain_text=True)
