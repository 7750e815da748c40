"""Programs that send mails with a copy to an address that is written into them."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, Diagnostics, Rule
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.detector import Detector
from pisces.scanning.order_words import W, judged
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import CONFIG, PROMPT, SOURCE
from pisces.scanning.words import words

MAIL_COPY = Rule("scan-mail-copy", ERROR, "A copy of mails goes to somebody whom the user did not name")

_MAIL = r"[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,40}){1,4}"
_COPIES = (
    clue("copies mails", rf"\bbcc[\"']?\]?\s{{0,4}}(?::|=(?!=)|,)\s{{0,4}}\[?\s{{0,4}}f?[\"'`]{_MAIL}", "bcc", flags=2),
    clue(
        "copies mails",
        rf"[\"']bcc[\"']\s{{0,4}},\s{{0,4}}[\"'`]{_MAIL}|\.(?:add_?bcc|bcc)\(\s{{0,4}}\[?\s{{0,4}}[\"'`]{_MAIL}",
        "bcc",
        "addbcc",
        "add_bcc",
        flags=2,
    ),
)
_SENDS = (
    clue(
        "sends mails",
        r"send_?(?:e?mail|message|raw_?email)|sendgrid|postmark|nodemailer|smtplib|mailgun|resend"
        r"|messages\(?\)?\.send|ses\b",
        "sendemail",
        "send_email",
        "sendmail",
        "send_message",
        "sendgrid",
        "postmark",
        "nodemailer",
        "smtplib",
        "mailgun",
        "resend",
        "ses",
        "messages",
        "send",
        flags=2,
    ),
)

_BCC_ORDER = re.compile(
    rf"\b(?:always|every|each|whenever|also|must|add|include|put)\b[^\n]{{0,120}}\b(?:bcc"
    rf"|blind{W}(?:carbon{W})?copy)\b|\b(?:bcc"
    rf"|blind{W}(?:carbon{W})?copy)\b[^\n]{{0,60}}[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w|\bsend{W}(?:all"
    rf"|every)\b[^\n]{{0,40}}(?:mails?|messages?)\b[^\n]{{0,40}}\bto{W}[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w",
    re.I,
)
_ADDRESS = re.compile(r"[\w.+-]{1,40}@[\w-]{1,40}\.\w{2,12}")
_COPYING = words("bcc", "blind copy", "blind carbon copy", "send all", "send every")


def _find(page: Page) -> Diagnostics:
    for found in page.matches((_BCC_ORDER,), _COPYING, before=140, after=160):
        if page.role in (PROMPT, CONFIG) and _ADDRESS.search(page.text, found.start(), found.end() + 80):
            yield judged(page, MAIL_COPY, found.start(), found[0])
    if page.role != SOURCE or not first(page, _SENDS):
        return
    for _, found in seen(page, _COPIES):
        message = f"`{excerpt(found[0])}` copies every mail"
        yield page.weighed_in_program(MAIL_COPY, found.start(), message)


DETECTOR = Detector("mails with a hidden copy", _find, in_plain_text=True)
