"""Namespaces in an Agent Plugin of clients that are not known here."""

from __future__ import annotations

import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.files import entries, is_folder
from pisces.harnesses.agent_plugins.namespaces import NAMESPACES

AGENT_PLUGIN_CLIENT = Rule("agent-plugin-client", WARNING, "A folder of a client that is not known here")
AGENT_PLUGIN_CLIENT_DATA = Rule("agent-plugin-client-data", NOTE, "Manifest data of a client that is not known here")

_FORMAT = "agent-plugin"
_NAMESPACE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")  # a domain, from the back


def _find(subject: Subject) -> Diagnostics:
    if _FORMAT not in subject.formats:
        return
    known = f"known are {', '.join(f'`{each}`' for each in NAMESPACES)}"
    for entry in entries(subject.folder):
        if is_folder(entry) and _NAMESPACE.fullmatch(entry.name) and entry.name not in NAMESPACES:
            message = f"`{entry.name}` belongs to a client that is not known here: nothing in it is checked"
            yield AGENT_PLUGIN_CLIENT.at(entry.path, message, hint=known, about=entry.name)
    manifest = subject.manifest(_FORMAT)
    extensions = manifest[1].get("extensions") if manifest else None
    for name in extensions if manifest and isinstance(extensions, dict) else ():
        if name not in NAMESPACES:
            place = subject.pages.json_place(manifest[0] if manifest else "", ("extensions", name))
            message = f"`{name}` belongs to a client that is not known here"
            yield AGENT_PLUGIN_CLIENT_DATA.at(manifest[0] if manifest else "", message, place=place, about=name)


LINT = Lint("namespaces of clients in Agent Plugins", _find, _FORMAT)
