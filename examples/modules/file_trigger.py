"""Whatever is written into a file is said to the agent: other programs can start work with it.

pisces modules test file_trigger.py --flag trigger=inbox.txt
"""

import asyncio
import os

from pisces.events import SessionShutdown, SessionStart


def extension(pisces):
    pisces.flag("trigger", "the file to watch", default="trigger.txt")
    watching = None

    async def watch(path):
        while True:
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    text = file.read().strip()
                os.remove(path)
                pisces.send_user_message(text, deliver_as="followUp")
            await asyncio.sleep(0.2)

    @pisces.on(SessionStart)
    async def start(_event):
        nonlocal watching
        watching = asyncio.create_task(watch(os.path.join(pisces.cwd, pisces.flags["trigger"])))

    @pisces.on(SessionShutdown)
    def stop(_event):
        watching.cancel()
