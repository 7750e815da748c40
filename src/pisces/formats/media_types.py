"""How a file is sent to a model, by its ending and first bytes, as Gemini CLI decides it: text, media, or not."""

from __future__ import annotations

import os
import re

TEXT = "text"
SVG = "svg"  # a picture that is text
BINARY = "binary"
UNSUPPORTED = "unsupported"  # a sound that no model takes

PDF = "application/pdf"
SOUNDS = "MP3, WAV, AIFF, AAC, OGG, and FLAC"

_EXAMINED = 512
_RESERVE = 3  # a character that begins within the first 512 bytes may end after them
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff", b"\x84\x31\x95\x33")
_PDF_MARK = b"%PDF-"
# A character of UTF-8 or ASCII, a NUL, or an invalid byte. An invalid lead byte includes the byte after it.
_TOKEN = re.compile(
    rb"(?P<fine>[\x07-\x0e\x20-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3})"
    rb"|(?P<nul>\x00)"
    rb"|[\xc0-\xdf].|[\xe0-\xef].(?=.)|[\xf0-\xf7].(?=..)|.",
    re.DOTALL,
)

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


def is_binary(data: bytes) -> bool:
    """Decided from the first 512 bytes."""
    if data.startswith(_BYTE_ORDER_MARKS):
        return False
    if data.startswith(_PDF_MARK):
        return True
    start = data[: _EXAMINED + _RESERVE]
    examined = min(len(start), _EXAMINED)
    invalid = 0
    for token in _TOKEN.finditer(start):
        if token.start() >= examined:
            break
        if token["nul"] is not None:
            return True
        invalid += token["fine"] is None
    return invalid * 10 > examined or (invalid > 1 and _is_protobuf(start[:examined]))


class _End(Exception):
    """The data ends inside a field."""


def _is_protobuf(data: bytes) -> bool:
    """Whether all bytes are fields in the encoding of protocol buffers."""
    at = count = 0
    try:
        while True:
            at, field = _number(data, at)
            at = _value_end(data, at, field & 7)
            if at < 0:
                return False
            count += 1
    except _End:
        return count > 0


def _value_end(data: bytes, at: int, kind: int) -> int:
    """The offset after the value of a field; -1 for an unknown wire type."""
    if kind == 0:
        return _number(data, at)[0]
    if kind == 2:
        at, length = _number(data, at)
        at += max(length, 0)
    elif kind in (1, 5):
        at += 8 if kind == 1 else 4
    else:
        return -1
    if at > len(data):
        raise _End
    return at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A varint as a signed 32-bit integer. Longer ones wrap, as with JavaScript's operators."""
    number = 0
    for index in range(11):
        if at >= len(data):
            raise _End
        number |= (data[at] & 127) << (7 * index % 32)
        at += 1
        if data[at - 1] < 128:
            number &= 0xFFFFFFFF
            return at, number - 2**32 if number >= 2**31 else number
    raise _End
