"""A question that answers itself: with no answer in time, it is no.

pisces modules test timed_confirm.py --answer yes --command '/deploy staging'
"""


def extension(pisces):
    @pisces.command("deploy")
    async def deploy(args):
        """Asks, waits ten seconds at most, and then has the agent do it."""
        if await pisces.ui.confirm(f"Deploy to {args or 'staging'}?", "no answer means no", timeout=10):
            pisces.send_user_message(f"Deploy the current branch to {args or 'staging'} and report.")
        else:
            pisces.ui.notify("nothing was deployed", "warning")
