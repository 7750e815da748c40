"""ctrl+alt+n asks for a note; notes stay with the session and are drawn with a mark in front.

pisces modules test quick_note.py --answer 'call Ada' --shortcut ctrl+alt+n
"""


def extension(pisces):
    @pisces.shortcut("ctrl+alt+n", "write a note")
    async def note():
        text = await pisces.ui.input("Note", "what should not be forgotten")
        if text:
            pisces.send_message({"customType": "note", "content": text, "display": True}, deliver_as="nextTurn")

    @pisces.renderer("note")
    def draw(message, width=80):
        return [f"* {message['content']}"[:width]]
