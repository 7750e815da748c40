"""A module with a typed tool, tried without a model: arguments are converted, and a failure is an answer."""

import pisces
from pisces.testing import scripted_session


def extension(api: pisces.Api) -> None:
    @api.tool()
    def divide(number: float, by: float, *, ctx: pisces.ToolContext) -> str:
        """Divides one number by another."""
        if by == 0:
            raise pisces.ToolFailed("nothing can be divided by 0")
        ctx.update("nearly done")
        return f"{number:g} / {by:g} = {number / by:g}"


if __name__ == "__main__":
    with scripted_session(__file__) as session:
        for by in (3, 0):
            print(session.tool("divide", number="9", by=by).text)
