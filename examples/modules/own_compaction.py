"""Makes the summary of a long conversation itself: what you asked for stays, word for word.

pisces modules test own_compaction.py \
  --event 'session_before_compact={"entries": [{"message": {"role": "user", "content": "hi"}}]}'
"""

from pisces.events import SessionBeforeCompact


def extension(pisces):
    @pisces.on(SessionBeforeCompact)
    def summarise(event):
        asked = [text_of(entry["message"]) for entry in event.entries if entry.get("message", {}).get("role") == "user"]
        if not asked:
            return None  # the usual way
        summary = "\n".join(["The user asked for:", *(f"- {text}" for text in asked)])
        return event.replace(compaction={"summary": summary, **kept(event.preparation)})


def kept(preparation):
    return {key: preparation[key] for key in ("firstKeptEntryId", "tokensBefore") if key in preparation}


def text_of(message):
    content = message["content"]
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
