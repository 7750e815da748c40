"""Modules talk over the bus: this one sends a ping and shows who answers. Its partner is bus_pong.py.

pisces modules test bus_ping.py --command /ping
"""


def extension(pisces):
    pisces.bus.on("pong", lambda value: pisces.ui.notify(f"pong from {value['from']}"))

    @pisces.command("ping")
    def ping(_args):
        """Asks who is there."""
        pisces.bus.emit("ping", {"from": "bus_ping"})
