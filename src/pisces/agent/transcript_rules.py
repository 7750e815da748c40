"""What can be wrong with a session on disk."""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, WARNING, Rule

NO_SESSION = Rule("no-session", ERROR, "There is no such session")
SESSION_AMBIGUOUS = Rule("session-ambiguous", ERROR, "Several sessions are called so")
SESSION_ELSEWHERE = Rule("session-elsewhere", NOTE, "A session of another workspace is resumed")
SESSION_IN_USE = Rule("session-in-use", WARNING, "Another process has this session open")
NO_ENTRY = Rule("no-entry", ERROR, "A session has no such entry")
TRANSCRIPT_CUT = Rule("transcript-cut", WARNING, "The last line of a transcript was cut off")
TRANSCRIPT_UNWRITTEN = Rule("transcript-unwritten", WARNING, "A session cannot be written to disk")
