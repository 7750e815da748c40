"""The host of a session: with the agent's own tools, and with the session as what modules act through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.gates.judge import Gate
from pisces.host.host import Host
from pisces.modules.module_set import ModuleOptions
from pisces.session.actions import SessionActions
from pisces.session.edit_review import EditReview
from pisces.tools.workbench import FilesSeen, Workbench, own_tools

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from pisces.session.session import Session


def opened_host(session: Session) -> AbstractAsyncContextManager[Host]:
    """Raises what `Host.open` raises."""
    places, options = session.places, session.options
    run_agent, env_files, seen = session.delegation.run, (lambda: session.host.env_files), FilesSeen()
    bench = Workbench(places, lambda: session.folder, env_files, options.ask, seen, run_agent, session.may_read)
    return Host.open(
        places,
        EditReview(session.delegation.approve, lambda: session.editor.client, bench.folder, seen),
        gates=[Gate("subagents", session.delegation.judged, None), Gate("places", seen.places.note, None)],
        packages=options.packages,
        servers=options.servers,
        modules=options.modules,
        hooks=options.hooks,
        rules=options.rules,
        discover=options.discover,
        tools=own_tools(bench),
        mode=options.mode,
        model=options.model.facts.name if options.model else "",
        session_id=session.transcript.id,
        transcript=session.transcript.path,
        is_interactive=options.is_interactive,
        trust_workspace=options.trust_workspace,
        complete=session.complete,
        actions=SessionActions(session, options.ui),
        report=session.show,
        module_options=ModuleOptions(env=places.env),
        watch_tools=session.show,
        watch_commands=session.announce,
    )
