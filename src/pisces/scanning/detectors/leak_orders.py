"""Orders to an agent to hand over secrets: by a request, a mail, a picture or an argument of a tool."""

from __future__ import annotations

import re
from itertools import islice

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.order_acts import OWN_USE, leak_in
from pisces.scanning.order_words import KEY_FILE, MOST, SECRET, SECRET_WORDS, is_read_by_agents, judged
from pisces.scanning.page import Page
from pisces.scanning.passages import in_one_line
from pisces.scanning.roles import CONFIG, PROMPT, SOURCE
from pisces.scanning.words import words

LEAK_ORDER = Rule("scan-leak-order", ERROR, "An agent is told to hand over secrets")

_SEND = (
    r"(?:send|resend|repeat|retry|sends|sending|post|posting|upload|uploading|forward|transmit|exfiltrate|submit|email|mail|report|deliver"
    r"|push|curl|include|append|attach|embed|encode|pass|put|write(?!\s(?:permission|access))|place|add|insert|copy"
    r"|provide|supply|paste|render|base64|validate|verify|hand|fill)"
)
_TO = (
    r"(?:https?://|\bftp://|[\w.+-]{1,40}@[\w-]{1,40}\.[\w.]{2,20}|\bparameters?\b|\barguments?\b|\bfield\b|\bquery\b"
    r"|\bimage\b|\burl\b|\baddress(?:es)?\b|\bwebhook\b|\bendpoint\b|\bserver\b|\bheaders?\b|\bgist\b|\bcomments?\b"
    r"|\brelease\snotes\b|\bcommit\smessages?\b|\btrailers?\b|\bbranch\snames?\b|\bfile\snames?\b|\bpull\srequests?\b|\bissues?\b|\brobots\.txt"
    r"|\brequest\b|['\"`](?:context|sidenote|note|notes|meta|metadata|debug|data|payload|info|extra|feedback"
    r"|summary)['\"`])"
)
_SENDS = re.compile(rf"\b{_SEND}\b", re.I)
_SECRET_WORD = re.compile(rf"(?<![a-z]){SECRET}", re.I)
_DESTINATION = re.compile(_TO, re.I)
# When you open an issue, paste the output of `cat ~/.npmrc`
_PUBLIC = re.compile(
    r"\b(?:open|create|file|write|submit|post|comment\son|reply\sto|publish|push)\w{0,4}\b[^.\n]{0,30}\b(?:issues?|pull\srequests?|comments?|gists?|tickets?|posts?)\b",
    re.I,
)
_PASTES = re.compile(
    r"\b(?:paste|include|append|attach|add|put|copy)\b[^.\n]{0,30}\b(?:outputs?|contents?|values?|text)\s(?:of|from)\b",
    re.I,
)
# a trailer whose value is the base64 form of
_OF = re.compile(
    r"\b(?:values?|contents?|outputs?|base64|text|form)\b[^.\n]{0,30}\b(?:of|from)\b|\bwhose\svalue\b", re.I
)
_PICTURE = re.compile(r"https?://|!\[|\bimage\b|\burls?\b", re.I)
_FILLED = re.compile(
    r"\b(?:fill|set|populate)\b[^\n.]{0,40}\b(?:parameter|argument|field|it)\b[^\n.]{0,20}\b(?:with|to)\b"
    r"|\b(?:fill|populate)\s[`'\"]?\w{1,40}[`'\"]?\swith\b",
    re.I,
)
_GIVEN = re.compile(r"\bas\b[^\n.]{0,30}\b(?:argument|parameter|field|input|value)\b", re.I)
_CARRIES = re.compile(
    r"\b(?:where|with|contain\w{0,4}|hold\w{0,3}|is)\b[^\n]{0,60}\b(?:base64|encod\w{2,4}|content|value|every|all)\b",
    re.I,
)
_TAKES = re.compile(r"\b(?:read|open|cat|collect|gather|search|find|ask|look\sfor|scan|load|get|grep|list)\b", re.I)
_BREAK = re.compile(r"\n\s{0,9}(?:\n|[-*#|\d])|\\n[\"'\s]{0,60}(?:\d|[-*])")
_LITERAL_END = re.compile(r"[\"'`]\s{0,4}[,})\]](?=\s|$)")
_QUOTED_WORD = re.compile(r"(?<=[\s(])[\"'`]\w{1,36}$")
_SENTENCE_END = re.compile(r"[.!?]\s")
# The description of an argument that asks for more than a tool can need.
_WANTED = re.compile(
    r"(?:\.describe\(\s{0,40}|\bdescription[\"']?\s{0,4}[:=]\s{0,40}|:param\s\w{1,40}:|^\s{0,20}\w{1,40}(?:\s\(\w{1,20}\))?:\s)"
    r"(?P<what>[^\n]{0,120}?\b(?:full|entire|whole|complete|verbatim|raw|all|everything|contents?\sof|system\sprompt)\b[^\n]{0,80}?"
    r"\b(?:conversation|chat|transcript|system\sprompt|(?:user|previous|prior|earlier)\s(?:messages?|prompts?)|environment\svariables"
    r"|credentials|api\skeys|tokens|\.env)\b[^\n]{0,160})",
    re.I | re.M,
)
# The name of an argument that asks for a file of keys.
_ASKED_BY_NAME = re.compile(
    r"\b(?:\w{0,40}(?:id_rsa|id_ed25519|etc_passwd|aws_credentials|ssh_private_key)\w{0,40}"
    r"|(?:contents?|text)_(?:of|from)_\w{0,40}(?:ssh|env|aws|key|secret|passw|cred|prompt|history)\w{0,40})"
    r"[\"']?\s{0,4}:\s{0,4}(?:z\.|str\b|string\b|\{)",
    re.I,
)
# The description of an argument that asks for a key by its name.
_KEY_WANTED = re.compile(
    r"(?:\.describe\(\s{0,40}|\bdescription[\"']?\s{0,4}[:=]\s{0,40})[\"'`f](?P<what>[^\n]{0,100}\b(?:values?|contents?|text)\s(?:of|from)\b[^\n]{0,60}?"
    r"(?:(?-i:\b[A-Z][A-Z0-9_]{1,30}_(?:TOKEN|KEY|SECRET|PASSWORD)\b)|~/\.\w{2,20}|(?<!\w)\.env\b|id_rsa|id_ed25519|/etc/passwd)[^\n]{0,80})",
    re.I,
)
_ASKING = words(
    *("id_rsa*", "id_ed25519*", "etc_passwd*", "aws_credentials*", "ssh_private_key*", "content_of*", "contents_of*"),
    *("content_from*", "contents_from*", "text_of*", "text_from*"),
)
_MORE = re.compile(
    r"system\sprompt|\bfiles?\b|environment|credential|\.env\b|\btokens?\b|api\skey|verbatim|previous\smessages|tool\s(?:results|outputs)",
    re.I,
)
_LEFT_OUT = re.compile(
    r"\b(?:mask|redact|strip|omit|exclud|remov|without)\w{0,4}\b"
    r"|\b(?:never|not|n['’]t)\s(?:\w{1,12}\s)?(?:includ|contain|pass|send|put|add|be\s(?:includ|sent|pass|contain))",
    re.I,
)
# copy the value of GITHUB_TOKEN into the body of the pull request
_VALUE_SENT = re.compile(
    r"\b(?:copy|include|append|put|paste|add|write|embed|send|post|encode|insert|attach|place|leak|print)\b[^.\n]{0,60}"
    r"\b(?:values?|contents?)\s(?:of|from)\b[^.\n]{0,60}(?-i:\b[A-Z][A-Z0-9_]{1,30}_(?:TOKEN|KEY|SECRET|PASSWORD|PAT|CREDENTIALS)\b)"
    r"[^.\n]{0,80}(?:\bpull\srequest|\bissues?\b|\bcomments?\b|\bcommit\b|https?://|\bbody\b|\btitle\b|\bbranch\b|\burl\b|\bimage\b|\bgist\b)",
    re.I,
)
# https://host/p?c=<base64 of the last message>: an address that an agent is to fill
_FILLED_ADDRESS = re.compile(
    r"https?://(?!localhost|127\.)[^\s<>{}\[\]]{3,160}[=/?][<{\[(]{1,2}[^>}\])\n]{0,80}?"
    r"\b(?:base64|encod\w{2,4}|contents?\sof|(?:last|previous|user['’]?s?|all)\s(?:\w{1,12}\s)?(?:messages?|prompts?|conversation)"
    r"|conversation|chat\shistory|secrets|api\skeys|credentials|file\scontents?|env(?:ironment)?\svar\w{0,6}s)\b[^>}\])\n]{0,120}[>}\])]",
    re.I,
)
_VALUES = words("_token", "_key", "_secret", "_password", "_pat", "_credentials")
_DESCRIBING = words(
    "_token", "_key", "_secret", "_password", ".env", "id_rsa", "id_ed25519", "/etc/passwd", ".ssh", ".aws"
)
_FILLING = words(
    *(
        "base64",
        "encoded",
        "encode",
        "contents of",
        "content of",
        "messages",
        "message",
        "conversation",
        "chat history",
    ),
    *("secrets", "api keys", "credentials", "file contents"),
)
_WANTING = words(
    *("conversation", "chat", "transcript", "system prompt", "messages", "message", "prompts", "environment variables"),
    *("credentials", "api keys", "tokens", ".env"),
)


def _find(page: Page) -> Diagnostics:
    """A secret, a verb that hands it over, and where it goes, near each other and in the order of such a sentence."""
    if not is_read_by_agents(page):
        return
    for found in islice(page.matches((_WANTED,), _WANTING, before=200, after=200), MOST):
        finding = judged(page, LEAK_ORDER, found.start("what"), found["what"])
        if page.role == PROMPT:  # the description of a skill or of a command says what it does
            break
        if _LEFT_OUT.search(found["what"]):
            continue
        is_clear = bool(_MORE.search(found["what"]))
        yield finding if is_clear or finding.severity != ERROR else finding.replace(severity=WARNING)
    for found in islice(page.matches((_VALUE_SENT,), _VALUES, before=220, after=160), MOST):
        yield judged(page, LEAK_ORDER, found.start(), found[0])
    for found in islice(page.matches((_FILLED_ADDRESS,), _FILLING, before=260, after=200), MOST):
        yield judged(page, LEAK_ORDER, found.start(), found[0])
    for found in (
        islice(page.matches((_KEY_WANTED,), _DESCRIBING, before=260, after=120), MOST) if page.role != PROMPT else ()
    ):
        yield judged(page, LEAK_ORDER, found.start("what"), found["what"])
    for found in islice(page.matches((_ASKED_BY_NAME,), _ASKING, before=60, after=120), MOST):
        yield judged(page, LEAK_ORDER, found.start(), found[0])
    last = 0
    for found in islice(page.matches((_SECRET_WORD,), SECRET_WORDS, before=20, after=40), MOST):
        if found.start() < last:
            continue
        begin, end = _item(page.text, found)
        end = _literal_end(page.text, found.end(), end) if page.role == SOURCE else end
        span = _leak_span(page.text, found, begin, end)
        if span is None and page.role in (CONFIG, SOURCE) and _is_asked_for(page, found, begin, end):
            last = end
            yield judged(page, LEAK_ORDER, found.start(), page.text[found.start() : end])
            continue
        if span and page.role == CONFIG and '",' in page.text[span[0] : span[1]]:
            continue  # two values of a table are no sentence
        if span and KEY_FILE.search(page.text, *span) and not OWN_USE.search(page.text, max(0, span[0] - 8), span[1]):
            last = span[1]
            yield judged(page, LEAK_ORDER, span[0], page.text[span[0] : span[1]])


def _is_asked_for(page: Page, found: re.Match[str], begin: int, end: int) -> bool:
    """Whether the text of a program or a value of a table asks for the secret."""
    if page.role == CONFIG:
        begin = max(begin, page.text.rfind('"', begin, found.start()) + 1)
        end = _literal_end(page.text, found.end(), end)
    return leak_in(in_one_line(page.text[begin:end])) is not None


def _item(text: str, found: re.Match[str]) -> tuple[int, int]:
    """The paragraph or item of a list around a word, at most some hundred characters of it."""
    begin = max(0, found.start() - 240)
    for each in _BREAK.finditer(text, begin, found.start()):
        begin = each.end() - 1
    after = _BREAK.search(text, found.end(), found.end() + 360)
    return begin, after.start() if after else min(len(text), found.end() + 360)


def _literal_end(text: str, begin: int, end: int) -> int:
    """Where the text of a program ends; a word in quotes inside of it is no end."""
    ends = (each.start() for each in _LITERAL_END.finditer(text, begin, end))
    return next((at for at in ends if not _QUOTED_WORD.search(text, max(begin, at - 40), at)), end)


def _leak_span(text: str, secret: re.Match[str], begin: int, end: int) -> tuple[int, int] | None:
    sends_before = _SENDS.search(text, begin, secret.start())
    to = _DESTINATION.search(text, secret.end(), end)
    if (
        sends_before
        and to
        and not text[sends_before.end() : sends_before.end() + 5].lstrip().startswith(("to ", "in ", "into"))
    ):
        return sends_before.start(), to.end()
    between = _DESTINATION.search(text, sends_before.end(), secret.start()) if sends_before else None
    if sends_before and between and _OF.search(text, between.end(), secret.start()):
        return sends_before.start(), secret.end()
    public = _PUBLIC.search(text, begin, secret.start())
    pasted = _PASTES.search(text, public.end(), secret.start()) if public else None
    if public and pasted:
        return public.start(), secret.end()
    sends = _SENDS.search(text, secret.end(), end)
    to = _DESTINATION.search(text, sends.end(), end) if sends else None
    taken = _TAKES.search(text, begin, secret.start())
    if sends and to and (taken or not _SENTENCE_END.search(text, secret.end(), sends.start())):
        return (taken or secret).start(), to.end()
    filled = _FILLED.search(text, begin, secret.start())
    if filled:
        return filled.start(), secret.end()
    given = _GIVEN.search(text, secret.end(), secret.end() + 90)
    if given:
        return secret.start(), given.end()
    address = _PICTURE.search(text, begin, secret.start())
    if address and _CARRIES.search(text, address.end(), secret.end()):
        return address.start(), secret.end()
    return None


DETECTOR = Detector("orders to hand over secrets", _find, in_references=True)
