"""What the lines of one call of `pisces run` share: the commands, the gates, and workers that stay between lines."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.commands.names.catalog import Catalog
    from pisces.commands.programs.worker import Workers
    from pisces.shapes.verdict import Judge


class RunContext(Value):
    """`workers` is set if several lines come from stdin; then programs do not read stdin."""

    arguments: Namespace
    places: Places
    screen: Screen
    commands: Catalog
    judge: Judge
    workers: Workers | None = None
