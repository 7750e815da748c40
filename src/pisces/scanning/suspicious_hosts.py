"""Addresses from which no honest publisher gives out programs: numbers, plain HTTP, pastes, shorteners, tunnels."""

from __future__ import annotations

import re

_SUSPICIOUS = re.compile(
    r"(?:(?:https?|ftp)://|\b(?:curl|wget|iwr|irm)\s(?:-\S{1,20}\s){0,4}[\"']?)(?!127\.|0\.0\.0\.0|10\.0\.2\.2|192\.168\.|localhost)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b"
    r"|\bhttp://(?!localhost|127\.|\[::1|0\.0\.0\.0|\$|\{|<|host\.docker|192\.168\.|10\.|example\.(?:com"
    r"|org)|(?:[\w-]{1,40}\.){0,3}(?:ubuntu\.com|debian\.org|archlinux\.org|centos\.org|fedoraproject\.org)/)"
    r"[\w-]{1,60}\."
    r"|\b(?:pastebin\.com|paste\.ee|rentry\.co|hastebin\.com|dpaste\.\w{2,4}|glot\.io|ghostbin\.\w{2,5}|0x0\.st"
    r"|transfer\.sh|termbin\.com"
    r"|ix\.io|catbox\.moe|file\.io|gofile\.io|anonfiles\.com|bashupload\.com|temp\.sh|bit\.ly|tinyurl\.com|t\.ly"
    r"|is\.gd|cutt\.ly|rb\.gy"
    r"|cdn\.discordapp\.com|webhook\.site|trycloudflare\.com|ngrok(?:-free)?\.(?:io|app|dev)|serveo\.net|loca\.lt"
    r"|workers\.dev|\w{1,60}\.onion)\b",
    re.I,
)


def is_suspicious(text: str) -> bool:
    """Whether a text has such an address."""
    return bool(_SUSPICIOUS.search(text))
