"""Answers the pings of bus_ping.py. A listener may wait: it goes on by itself.

pisces modules test bus_pong.py
"""

import asyncio


def extension(pisces):
    async def answer(_value):
        await asyncio.sleep(0)  # whatever has to be waited for
        pisces.bus.emit("pong", {"from": "bus_pong"})

    pisces.bus.on("ping", answer)
