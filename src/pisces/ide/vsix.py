"""Packs an extension of VS Code: a .vsix is a zip of its folder with two more files.

The same folder gives the same bytes, so builds are reproducible.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from html import escape
from typing import Any

from pisces.files import entries, is_folder

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest date that a zip can hold
_TYPES = {
    "js": "application/javascript",
    "json": "application/json",
    "md": "text/markdown",
    "png": "image/png",
    "txt": "text/plain",
    "vsixmanifest": "text/xml",
}
_TYPE_LINE = '<Default Extension=".{0}" ContentType="{1}"/>'
_CONTENT_TYPES = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}</Types>\n'
)
_MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="{kind}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExecutesCode" Value="true"/>
      <Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def vsix(folder: str) -> bytes:
    """Raises `OSError` or `ValueError` if the folder holds no extension."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "extension.vsixmanifest", _manifest(manifest_in(folder)).encode())
        types = "".join(_TYPE_LINE.format(*each) for each in _TYPES.items())
        _add(archive, "[Content_Types].xml", _CONTENT_TYPES.format(types=types).encode())
        for path in _files(folder):
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            with open(path, "rb") as file:
                _add(archive, f"extension/{name}", file.read())
    return packed.getvalue()


def vsix_name(folder: str) -> str:
    manifest = manifest_in(folder)
    return f"{manifest['name']}-{manifest['version']}.vsix"


def manifest_in(folder: str) -> dict[str, Any]:
    with open(os.path.join(folder, "package.json"), "rb") as file:
        manifest: dict[str, Any] = json.load(file)
    return manifest


def _manifest(manifest: dict[str, Any]) -> str:
    fields = {key: escape(value) for key, value in manifest.items() if isinstance(value, str)}
    lists = {"tags": "keywords", "categories": "categories", "kind": "extensionKind"}
    fields |= {field: escape(",".join(manifest.get(key, []))) for field, key in lists.items()}
    return _MANIFEST.format(**fields, engine=escape(manifest["engines"]["vscode"]))


def _files(folder: str) -> Iterator[str]:
    """The files of an extension, by their type. A .vsix in the folder is not one of them."""
    for entry in entries(folder):
        if is_folder(entry):
            yield from _files(entry.path)
        elif entry.name.rpartition(".")[2] in _TYPES:
            yield entry.path


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)
