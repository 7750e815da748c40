"""Programs that send mails with a copy to an address that is written into them."""

from __future__ import annotations

import re
from itertools import islice

from pisces.diagnostics import ERROR, Diagnostics, Rule
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.contexts import READ
from pisces.scanning.detector import Detector
from pisces.scanning.order_words import W, judged
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import CONFIG, PROMPT, SOURCE
from pisces.scanning.words import words

MAIL_COPY = Rule("scan-mail-copy", ERROR, "A copy of mails goes to somebody whom the user did not name")

_MAIL = r"[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,40}){1,4}"
_COPIES = (
    clue(
        "copies mails",
        rf"\b(?:forwarding(?:Email|Address)|forward(?:_?to)?|forwardTo|redirectTo|autoForward\w{{0,10}})[\"']?\]?\s{{0,4}}(?::|=(?!=)|,)\s{{0,4}}\[?\s{{0,4}}[\"'`]{_MAIL}",
        *("forwardingemail", "forwardingaddress", "forward", "forwardto", "forward_to", "redirectto"),
        flags=2,
    ),
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
# A list of receivers with one that the caller names and one that the program adds.
_RECEIVERS = re.compile(
    r"(?:\b(?:to_addrs|recipients?|receivers?|to|cc|bcc|envelope|destinations?|ToAddresses|BccAddresses|CcAddresses|(?:to|cc|bcc)Recipients)[\"']?\]?"
    r"\s{0,4}(?::|=(?!=))\s{0,4}|\bsendmail\([^,\n]{1,80},\s{0,4})(?P<list>\[[^\]\n]{3,200}\]|[^\n;]{3,160})",
    re.I,
)
_CONSTANT = re.compile(
    rf"\b(?P<name>\w{{1,40}})\s{{0,4}}(?::\s{{0,4}}\w{{1,20}}\s{{0,4}})?=\s{{0,4}}(?:[\w.]{{0,20}}[\[(]{{0,2}}|[\"']{{2}}\.join\([^\n]{{0,40}})[\"'`]{_MAIL}[\"'`]"
)
_WORD = re.compile(r"[A-Za-z_]\w{0,40}")
_STRING = re.compile(r"[\"'][^\"'\n]{0,120}[\"']")
_ONE_MAIL = re.compile(_MAIL)
_RECEIVING = words(
    *("to_addrs", "recipient", "recipients", "receivers", "receiver", "to", "cc", "bcc", "envelope", "sendmail"),
    *(
        "torecipients",
        "ccrecipients",
        "bccrecipients",
        "destination",
        "destinations",
        "toaddresses",
        "bccaddresses",
        "ccaddresses",
    ),
)
_MOST = 500
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
    rf"|blind{W}(?:carbon{W})?copy)\b[^\n]{{0,60}}[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w|\bforward(?:s|ed|ing)?\b[^.]{{0,60}}(?<!-)\bto{W}[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w|\bsend{W}(?:all"
    rf"|every)\b[^\n]{{0,40}}(?:mails?|messages?)\b[^\n]{{0,40}}\bto{W}[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w",
    re.I,
)
_ADDRESS = re.compile(r"[\w.+-]{1,40}@[\w-]{1,40}\.\w{2,12}")
_COPYING = words(
    "bcc", "blind copy", "blind carbon copy", "send all", "send every", "forwarded", "forwards", "forwarding", "forward"
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches((_BCC_ORDER,), _COPYING, before=140, after=160):
        if page.role in (PROMPT, CONFIG) and _ADDRESS.search(page.text, found.start(), found.end() + 80):
            yield judged(page, MAIL_COPY, found.start(), found[0])
    if page.role != SOURCE or not first(page, _SENDS):
        return
    for _, found in seen(page, _COPIES):
        message = f"`{excerpt(found[0])}` copies every mail"
        yield page.weighed_in_program(MAIL_COPY, found.start(), message)
    yield from _added(page)


def _added(page: Page) -> Diagnostics:
    """Receivers of whom one is fixed and another is not; a hidden copy to a fixed one."""
    if "@" not in page.text:
        return
    fixed = {found["name"] for found in _CONSTANT.finditer(page.text)}
    sends_twice = len(_SEND_CALL.findall(page.text)) > 1
    for found in islice(page.matches((_RECEIVERS,), _RECEIVING, before=20, after=300), _MOST):
        listed = found["list"]
        words_in_it = set(_WORD.findall(_STRING.sub(" ", listed)))
        has_fixed = bool(_ONE_MAIL.search(listed) or words_in_it & fixed)
        is_second = sends_twice and found[0][:2].lower() == "to" and bool(words_in_it & fixed)
        is_copy = (
            is_second
            or found[0][:3].lower() == "bcc"
            or bool(words_in_it - fixed - _NOT_NAMES and _SEVERAL.search(listed))
        )
        if has_fixed and is_copy and page.context(found.start()) != READ:
            yield page.weighed_in_program(MAIL_COPY, found.start(), f"`{excerpt(found[0])}` adds a receiver")


_SEVERAL = re.compile(r"^\[[^\]]{1,100},|\+|\$\{|\.join\(|\.concat\(|^f[\"'][^\n]{0,60}\{|\.\.\.")
_SEND_CALL = re.compile(r"\.(?:send_?(?:e?mail|message|raw_?email)?|sendMail)\(", re.I)
_NOT_NAMES = frozenset("process env os environ join str f String".split())


DETECTOR = Detector("mails with a hidden copy", _find, in_plain_text=True)
