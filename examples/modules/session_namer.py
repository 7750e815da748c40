"""Names a session after the first thing you say in it; `/name` gives it another one.

pisces modules test session_namer.py --event 'input={"text": "fix the login page"}' --command /name
"""

from pisces.events import Input


def extension(pisces):
    @pisces.on(Input)
    def name_it(event):
        if not pisces.session.name and not event.text.startswith("/"):
            pisces.session.set_name(" ".join(event.text.split()[:6]))

    @pisces.command("name")
    def rename(args):
        """Gives the session a name."""
        if args:
            pisces.session.set_name(args)
        pisces.ui.notify(f"this session is called {pisces.session.name or 'nothing yet'}")
