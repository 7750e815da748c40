"""A server with an address and no type. Not safe: harnesses connect to it from then on."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import added, member_at, members


def fix(spot: Spot) -> Fix | None:
    server = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if server is None or not isinstance(server.value, dict) or "type" in server.value:
        return None
    inside = members(spot.text[server.value_start : server.end])
    url = next((each for each in inside if each.name == "url" and isinstance(each.value, str)), None)
    if url is None:
        return None
    kind = "sse" if url.value.rstrip("/").endswith("/sse") else "http"
    here = member_at(spot.text, server.value_start + url.start)
    return spot.fix(f'add `"type": "{kind}"`', added(spot.text, here, "type", kind), safe=False) if here else None
