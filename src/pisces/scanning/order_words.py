"""Words of orders to an agent, and how much an order weighs where it stands."""

from __future__ import annotations

import re

from pisces.diagnostics import NOTE, WARNING, Diagnostic, Rule
from pisces.scanning.contexts import line_at
from pisces.scanning.page import Page, excerpt
from pisces.scanning.quiet import is_warned_of
from pisces.scanning.roles import DOC, PROMPT, SHELL, SOURCE, is_example
from pisces.scanning.words import words

W = r"\s{1,4}"
MOST = 2000  # words that are looked at in one page
GO_ON = r"(?!\s{0,9}[-*#|\d])"  # a new item of a list is another sentence
SECRET = (
    r"(?:api[\s_-]?keys?|access[\s_-]?keys?|private[\s_-]?keys?|ssh[\s_-]?keys?|secrets?\b|credentials?"
    r"|passwords?|passphrases?|(?:seed|recovery|secret|backup)[\s_-]?phrases?|\.config/gh\b|hosts\.yml|\.claude/\.credentials|mnemonics?|(?:twelve|twenty-?four|12|24)\b[^.\n]{0,20}\bwords\b|words\sof\s(?:the|their|a)\swallet|(?:all|any|every|the)\s(?:\w{1,12}\s)?keys\s(?:seen|found|you)|(?:access|auth|session|bearer|refresh|oauth"
    r"|api)[\s_-]?tokens?"
    r"|environment[\s_]variables?|env(?:ironment)?[\s_]vars?|(?<![\w)\]])\.env\b(?!(?-i:\.[A-Z]))|\.netrc\b|\.npmrc\b"
    r"|\.ssh\b|id_rsa|id_ed25519|\.aws\b|mcp\.json\b|\.git-credentials|wallets?\b|keychain|\bAWS_\w{2,30}"
    r"|conversation(?:\shistory)?|everything\s(?:that\s)?(?:the\suser|they|you|was)\b[^.\n]{0,16}\b(?:said|wrote|written|typed|asked|seen|read)\b|chat\shistory|system\sprompt|whole\sconversation|previous\smessages"
    r"|(?:aws|cloud|gpg|signing|deploy|github|npm)\s(?:keys?|tokens?)|last\smessages?|\bprintenv\b|settings\.json|\.kube/config|/etc/passwd)"
)
KEY_FILE = re.compile(
    r"\bprintenv\b|`env`|\bvariables?\b[^.\n]{0,40}\b(?-i:KEY|TOKEN|SECRET|PASSWORD)\b|~/\.\w|(?<![\w)\]])\.env\b(?!(?-i:\.[A-Z]))|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.netrc|\.npmrc|mcp\.json"
    r"|/etc/passwd|AWS_\w{2,20}|\b(?:aws|cloud|gpg|signing|deploy|github|npm)\s(?:keys?|tokens?)\b|\b(?:seed|recovery|secret)[\s_-]?phrase|\bmnemonic\b|\bwords\sof\s(?:the|their|a)\swallet|\b(?:twelve|twenty-?four|12|24)\b[^.\n]{0,20}\bwords\b|\bprivate\skey\b"
    r"|\b(?:user['’]s|all|every|any|their|his|each)\s(?:\w{1,14}\s){0,3}(?:keys?|tokens?|secrets?|credentials?"
    r"|passwords?|environment\svariables|wallets?|conversation|messages?)\b"
    r"|\beverything\s(?:that\s)?(?:the\suser|they|you|was)\b|\.config/gh\b|hosts\.yml"
    r"|\b(?:whole|full|entire|complete|last)\s(?:conversation|chat|messages?|history)",
    re.I,
)
COMMAND = re.compile(
    rf"\b(?:run|execute|call|invoke|start|launch|send|post|upload|curl|wget|forward|push|delete|install|download"
    rf"|fetch|add|insert|append|include|read|write|create|modify|commit|open|collect|copy){W}",
    re.I,
)
CLEAR = re.compile(
    rf"https?://(?!(?:www\.)?(?:github\.com|docs\.|localhost|127\.))|\bcurl\b|\bwget\b|<script|\bdeny{W}that"
    rf"|[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w{{2,12}}|\b(?:execute|run){W}`[^`\n]{{0,120}}(?:\.sh\b|bash|https?"
    rf"|git{W}push)"
    r"|InsecureSkipVerify|verify\s{0,2}=\s{0,2}False|rejectUnauthorized|--no-verify|NODE_TLS_REJECT|\bbackdoor\b",
    re.I,
)
_WORD_FENCES = ("", "text", "txt", "markdown", "md", "xml", "html")
_REPORTED = re.compile(
    r"\b(?:says?|said|reads?|examples?|e\.g\.|such\sas|like|phrases?|claims?|asks?)\W{1,4}[\"“][^\"”]{0,160}$", re.I
)
_STATEMENTS = re.compile(r"[\"']\s{0,4}\)\s{0,4}[;\n]|\)\s{0,4}\n|==|=>|\bdef\s|\breturn\s|\w\(\w")
_CLOSED = re.compile(r'[^"\n]{1,60}[,.]?"')
_DESCRIPTION = re.compile(
    r"descri(?:ption|be)|\"\"\"|'''|\.tool\b|registerTool|prompt|instructions?\b|\b(?:text|content|message|error\w{0,2})[\"']?\s{0,4}[:=]",
    re.I,
)
SECRET_WORDS = words(
    "printenv",
    *("aws keys", "aws key", "cloud keys", "deploy keys", "github tokens", "npm tokens", "github token", "npm token"),
    *(
        "api key",
        "api keys",
        "api-key",
        "api_key",
        "access key",
        "access keys",
        "private key",
        "private keys",
        "ssh keys",
        "ssh key",
    ),
    *(
        "secret",
        "secrets",
        "credential",
        "credentials",
        "password",
        "passwords",
        "passphrase",
        *("everything the", "everything you", "everything they", "everything that"),
        "seed phrase*",
        *("recovery phrase*", "secret phrase*", "backup phrase*", ".config/gh", "hosts.yml", ".credentials"),
        "mnemonic",
        *("twelve", "twenty-four", "24 words", "12 words", "words of", "keys seen", "keys found", "keys you"),
        "wallets",
    ),
    *(
        "access token*",
        "auth token*",
        "session token*",
        "api token*",
        "tokens",
        "environment variable*",
        *("env var*", "bearer token*", "oauth token*", "refresh token*"),
    ),
    *(
        ".env",
        ".netrc",
        ".npmrc",
        ".ssh",
        "id_rsa",
        "id_ed25519",
        ".aws",
        "mcp.json",
        ".git-credentials",
        "keychain",
        "aws_key",
    ),
    *(
        "conversation",
        "chat history",
        "system prompt",
        "last message*",
        "previous messages",
        ".kube/config",
        "/etc/passwd",
    ),
)


def is_read_by_agents(page: Page) -> bool:
    """Whether orders in a page can reach a model: not in a script, not in a document beside the package."""
    return page.role != SHELL and not (page.role == DOC and is_example(page.name))


def judged(page: Page, rule: Rule, at: int, text: str) -> Diagnostic:
    """An error where a model reads it by itself; less in quotes, in warnings and in what only people read."""
    line, column = line_at(page.text, at)
    finding = page.finding(rule, at, f"`{excerpt(text)}`")
    if page.role == DOC or is_warned_of(line, column, column + len(text)) or _is_quoted(page.role, line, column):
        return finding.replace(severity=NOTE)
    fence = page.fence(at)
    if fence is not None:
        return finding.replace(severity=WARNING if fence in _WORD_FENCES else NOTE)
    if page.role == SOURCE and _STATEMENTS.search(text):
        return finding.replace(severity=NOTE)
    if page.role == SOURCE and not _DESCRIPTION.search(page.text, max(0, at - 700), at):
        return finding.replace(severity=NOTE)
    return finding


def _is_quoted(role: str, line: str, column: int) -> bool:
    """In a table, or in a list of bad examples: between quotes that close in the line."""
    before = line[:column]
    is_straight = (
        role == PROMPT
        and before.endswith('"')
        and bool(_CLOSED.match(line, column))
        and not before.rstrip('"').rstrip().endswith((":", "="))
    )
    is_reported = role == PROMPT and '"' in line[column:] and bool(_REPORTED.search(before))
    return is_straight or is_reported or (before.count("“") > before.count("”")) or line.lstrip().startswith(("|", ">"))
