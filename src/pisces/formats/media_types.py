"""How a file is sent to a model, by its ending and first bytes, as Gemini CLI decides it: text, media, or not."""

from __future__ import annotations

import os

from pisces.formats.binary_bytes import is_binary

TEXT = "text"
SVG = "svg"  # a picture that is text
BINARY = "binary"
UNSUPPORTED = "unsupported"  # a sound that no model takes

PDF = "application/pdf"
SOUNDS = "MP3, WAV, AIFF, AAC, OGG, and FLAC"

_SOUND_TYPES = ("audio/mpeg", "audio/wav", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac")
_CODE = (".ts", ".mts", ".cts")  # TypeScript here, though these endings have other meanings
_ENDINGS = {
    "image": """
        aces=exr apng avci avcs avif bmp=bmp,dib cgm dicom-rle=drle dpx emf fits g3fax=g3 gif heic heic-sequence=heics
        heif heif-sequence=heifs hej2k=hej2 ief jaii jais jls jp2=jp2,jpg2 jpeg=jpg,jpeg,jpe jph jphc=jhc jpm=jpm,jpgm
        jpx=jpx,jpf jxl jxr jxra jxrs jxs jxsc jxsi jxss ktx ktx2 pjpeg=jfif png sgi svg+xml=svgz t38 tiff=tif,tiff
        tiff-fx=tfx webp wmf""",
    "audio": """
        aac=adts,aac adpcm=adp aiff=aiff,aif amr basic=au,snd flac midi=mid,midi,kar,rmi mobile-xmf=mxmf
        mp4=m4a,mp4a,m4b mpeg=mpga,mp2,mp2a,mp3,m2a,m3a ogg=oga,ogg,spx,opus s3m silk=sil wav webm=weba xm""",
    "video": """
        3gpp=3gp,3gpp 3gpp2=3g2 h261 h263 h264 iso.segment=m4s jpeg=jpgv mj2=mj2,mjp2 mp2t=m2t,m2ts
        mp4=mp4,mp4v,mpg4 mpeg=mpeg,mpg,mpe,m1v,m2v ogg=ogv quicktime=qt,mov webm""",
}
_NEVER_TEXT = frozenset(
    """
    .bin .exe .dll .so .dylib .class .jar .war .zip .tar .gz .bz2 .rar .7z .pak .rpa .doc .docx .xls .xlsx .ppt .pptx
    .odt .ods .odp .pyc .pyo .dat .obj .o .a .lib .wasm
    """.split()
)


def _types() -> dict[str, str]:
    found = {".pdf": PDF}
    for family, rows in _ENDINGS.items():
        for row in rows.split():
            subtype, _, endings = row.partition("=")
            found.update({f".{ending}": f"{family}/{subtype}" for ending in (endings or subtype).split(",")})
    return found


_TYPES = _types()


def medium_of(path: str, data: bytes) -> str:
    """One of the constants above, or the MIME type with which the bytes are sent to the model."""
    ending = os.path.splitext(path)[1].lower()
    if ending in _CODE:
        return TEXT
    if ending == ".svg":
        return SVG
    mime = _TYPES.get(ending, "")
    if mime.startswith(("image/", PDF)):
        return mime
    if not mime and ending in _NEVER_TEXT:
        return BINARY
    if not is_binary(data):  # many audio and video types share their ending with a text format
        return TEXT
    return UNSUPPORTED if mime.startswith("audio/") and mime not in _SOUND_TYPES else mime or BINARY
