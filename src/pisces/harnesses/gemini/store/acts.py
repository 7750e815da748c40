"""Gemini CLI's store behind the interface that all stores have."""

from __future__ import annotations

from pisces.harnesses.gemini.store import act, updates
from pisces.harnesses.gemini.store.layout import BESIDE
from pisces.harnesses.gemini.store.stored import read_index
from pisces.harnesses.gemini.store.values import configure
from pisces.packages.store.acts import Acts

ACTS = Acts(
    beside=BESIDE,
    index=read_index,
    install=act.install,
    link=act.link,
    uninstall=act.uninstall,
    rollback=act.rollback,
    enable=act.enable,
    disable=act.disable,
    check_all=updates.check_all,
    update=updates.update,
    configure=configure,
)
