"""Runs modules in TypeScript and JavaScript, written for pi and omp, unmodified, in a process beside us.

    runtime = runtime_in(env)                       # bun, node, deno; a PiscesError that names what to install
    async with await Sidecar.open(runtime, paths, wiring, report) as sidecar:
        runner.add(sidecar.loaded)                  # ordinary modules, as if they were written in Python

The wire is one JSON text a line, both ways. On POSIX it has descriptors 3 and 4 of the child; its stdin is empty and
what it prints is recorded, the last of it. The host (we) says:

    {"hello": {runtime, cwd, paths, stubs}}         first of all; `stubs` are names to be invented, by package
    {"do": what, "id": n, "ext": i, "args": {...}}  event, tool, command, complete, shortcut, render, provider,
                                                    component.render, component.key, component.close
    {"cancel": n}                                   a call was given up: its AbortSignal fires
    {"answer": n, "value" | "error": ...}           to what was asked
    {"bus": topic, "value": ...}                    another module said something
    {"drop": i}                                     the module was loaded again, in a process of its own
    {"ping": n}

Any of them may carry `state`: what has changed in the session since the last message. `getBranch()` and all the other
getters of pi are synchronous, so the child answers them from its own copy. Entries come as `{"keep": n, "add": [...]}`.
The child says:

    {"ready": ...}, {"loaded": i}, {"failed": i, message, line, missing}, {"done": true}, {"broken": ...}
    {"register": kind, "ext": i, "value": {...}}    handler, tool, command, flag, shortcut, renderer, provider, label
    {"answer": n, "value", "changed"} or {"answer": n, "error": {message, trace}}
    {"update": n, "value": ...}                     progress of a tool, an event of a provider's stream
    {"ask": what, "id": m, "ext": i, "call": n, "args"}, {"forget": m}, {"tell": what, ...}
    {"dirty": c}, {"finished": c, "value"}          a component wants to be drawn again, or is done
    {"bus": topic, "value"}, {"listen": topic}
    {"trouble": kind, "ext": i, "message"}          process.exit, unhandled rejections, what does not work here
    {"pong": n}

Modules are loaded one after another, so that whoever blocks or ends the process while it loads is known by name; it is
started again without it. Calls that are given up must be followed by a sign of life within a second. A process that
ends, or sends something that is not JSON or a line that is too long, is ended and started again with a growing delay;
the user gets one report. Meanwhile guards fail closed. After a restart modules see `session_start` with reason
`reload`.
"""

from __future__ import annotations

from pisces.modules.sidecar.process import SidecarLimits
from pisces.modules.sidecar.runtime import Runtime, runtime_in
from pisces.modules.sidecar.sidecar import Sidecar

__all__ = ["Runtime", "Sidecar", "SidecarLimits", "runtime_in"]
