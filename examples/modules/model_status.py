"""Shows which model is at work, and says so when it changes.

pisces modules test model_status.py --event 'model_select={"model": {"id": "small-1"}}'
"""

from pisces.events import ModelSelect, SessionStart


def extension(pisces):
    @pisces.on(SessionStart)
    def start(_event):
        pisces.ui.status("model", (pisces.host.model or {}).get("id", "no model"))

    @pisces.on(ModelSelect)
    def changed(event):
        pisces.ui.status("model", event.model["id"])
        if event.source != "restore":
            pisces.ui.notify(f"now with {event.model['id']}")
