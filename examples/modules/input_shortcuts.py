"""Short ways to say things: `?why` asks for a brief answer, `ping` is answered without the model.

pisces modules test input_shortcuts.py --event 'input={"text": "?what is a monad"}'
"""

from pisces.events import Input


def extension(pisces):
    @pisces.on(Input)
    def rewrite(event):
        if event.text == "ping":
            pisces.ui.notify("pong")
            return event.handle()
        if event.text.startswith("?"):
            return event.replace(text=f"Answer in one or two sentences: {event.text[1:].strip()}")
        return None
