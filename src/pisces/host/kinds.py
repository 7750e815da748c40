"""What a workspace has, kind by kind. Each is read when it is asked for first, and stays as it was read."""

from __future__ import annotations

import os

from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.found import Candidate
from pisces.discovery.harness import Run
from pisces.discovery.named_packages import NamedPackages, named_packages
from pisces.discovery.registry import Discovered, discover
from pisces.discovery.state import ACTIVE
from pisces.discovery.switches import configured_switches
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Found, Kind
    from pisces.host.options import HostOptions
    from pisces.places import Places


class Kinds:
    """`of(HOOKS)` has every hook with its state. Raises `PiscesError` for a named folder that is no package."""

    def __init__(self, places: Places, options: HostOptions) -> None:
        self._places, self._options = places, options
        self._looks = options.discover
        self.forget()

    def forget(self) -> None:
        """Everything is read again when it is asked for next."""
        places, options = self._places, self._options
        self.run = Run()
        self._named: NamedPackages = named_packages(options.packages, places)
        self.switches, problems = configured_switches(places)
        self.diagnostics: list[Diagnostic] = [*self._named.diagnostics, *problems]
        self._read: dict[str, Discovered] = {}
        self.shadowed: tuple[Found, ...] = ()  # installed packages whose place a named one takes: what they deny stays

    @property
    def named(self) -> NamedPackages:
        return self._named

    def of(self, capability: Capability[Kind]) -> Discovered[Kind]:
        if capability.id not in self._read:
            self._read[capability.id] = self._discovered(capability)
        return self._read[capability.id]

    def has(self, capability: Capability[Kind]) -> bool:
        """Whether something of it is in force, or waits for a decision."""
        found = self.of(capability)
        return bool(found.items or found.undecided)

    def _discovered(self, capability: Capability[Kind]) -> Discovered[Kind]:
        named, problems = self._named.found(capability.id, self._places, self.run)
        self.diagnostics += problems
        found = _nothing(capability)
        if self._looks:
            found = discover(capability, self._places, self.switches, run=self.run)
            self.diagnostics += found.diagnostics
        if not self._named.packages:
            return found
        names = {package.name for package in self._named.packages}
        others = [each for each in found.all if _package_of(each.found) not in names]
        if capability.id == PACKAGES.id:
            self.shadowed = tuple(
                each for each in found.items if _package_of(each) in names and not self._is_named(each)
            )
        every = (*(Candidate(each, ACTIVE) for each in named), *others)
        items = tuple(each.found for each in every if each.state == ACTIVE)
        return found.replace(items=items, all=every)

    def _is_named(self, found: Found) -> bool:
        folders = map(self._places.absolute, self._options.packages)
        return os.path.realpath(found.item.path) in map(os.path.realpath, folders)


def _package_of(found: Found) -> object:
    """The name of the package that an item is of, or is."""
    return found.item.name if isinstance(found.item, Package) else found.package or None


def _nothing(capability: Capability[Kind]) -> Discovered[Kind]:
    return Discovered(capability, (), (), (), ())
