"""`/bookmark good idea` labels the last answer, `/bookmarks` lists what was labelled.

pisces modules test bookmark.py --command '/bookmark good idea'
"""


def extension(pisces):
    def bookmarks():
        return [entry["data"] for entry in pisces.session.entries() if entry.get("customType") == "bookmark"]

    @pisces.command("bookmark")
    def add(args):
        """Labels the last answer."""
        answers = [e for e in pisces.session.branch() if e.get("message", {}).get("role") == "assistant"]
        if not answers:
            pisces.ui.notify("there is nothing to bookmark yet", "warning")
            return
        label = args or f"bookmark {len(bookmarks()) + 1}"
        pisces.session.label(answers[-1]["id"], label)
        pisces.append_entry("bookmark", {"entry": answers[-1]["id"], "label": label})

    @pisces.command("bookmarks")
    def show(_args):
        """Everything that was labelled."""
        pisces.ui.notify("\n".join(each["label"] for each in bookmarks()) or "no bookmarks")
