"""The model of a session: what the user named, what a trusted project asks for, or what is there."""

from __future__ import annotations

from pisces.gates.trusted import trust_in
from pisces.models.choosing import chosen_model
from pisces.models.settings import model_of_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.models.model import Model
    from pisces.places import Places


def model_here(wanted: str, places: Places, *, trust_workspace: bool = False) -> Model | None:
    """Raises `PiscesError` where the model that was named cannot be used."""
    return chosen_model(wanted, places, project_model(places, trust_workspace=trust_workspace))


def project_model(places: Places, *, trust_workspace: bool = False) -> str:
    """What the project asks for. A project that is not trusted asks for nothing."""
    return model_of_project(places) if trust_workspace or trust_in(places).knows(places.cwd) else ""
