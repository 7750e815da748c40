"""The gallery of Gemini CLI extensions: it finds public repositories of GitHub by their topic, once a day."""

from __future__ import annotations

from pisces.checking.gallery import Gallery
from pisces.harnesses.gemini import MANIFEST

GALLERY = Gallery("the gallery of Gemini CLI", "gemini", MANIFEST, "gemini-cli-extension")
