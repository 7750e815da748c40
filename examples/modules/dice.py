"""Draws something of its own and takes keys: `/dice` rolls with the space bar, return takes the roll.

pisces modules test dice.py --answer '[" ", "\\r"]' --command /dice
"""

import random


class Dice:
    """Anything with these four is a component."""

    is_done = False
    result = 1

    async def render(self, width):
        return [f"  {self.result}  (space rolls, return takes it)"[:width]]

    async def key(self, data):
        if data == " ":
            self.result = random.randint(1, 6)
        self.is_done = data == "\r"


def extension(pisces):
    @pisces.command("dice")
    async def roll(_args):
        """Rolls a die and tells the agent."""
        number = await pisces.ui.custom(Dice())
        if number:
            pisces.send_user_message(f"I rolled a {number}.")
