"""The smallest command: `/hello you`.

pisces modules test hello.py --command '/hello Ada'
"""

NAMES = ("Ada", "Alan", "Grace")


def completions(typed):
    return [name for name in NAMES if name.lower().startswith(typed.lower())]


def extension(pisces):
    @pisces.command("hello", "says hello", completions)
    def hello(args):
        pisces.ui.notify(f"Hello, {args or 'world'}!")
