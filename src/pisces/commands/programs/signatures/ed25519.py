"""Ed25519, with the package `cryptography`, and BLAKE2b. Loaded by name: the base install lacks that package."""

from __future__ import annotations

from hashlib import blake2b

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:  # the extra `signatures` is not installed
    Ed25519PublicKey = None  # type: ignore[assignment, misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

IS_AVAILABLE = Ed25519PublicKey is not None


def is_valid(key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the signature is valid for the key and the message."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):  # ValueError: an invalid key
        return False
    return True


def hashed(chunks: Iterable[bytes]) -> bytes:
    """The hash that is signed instead of a program's bytes."""
    digest = blake2b()
    for chunk in chunks:
        digest.update(chunk)
    return digest.digest()
