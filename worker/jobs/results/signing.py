"""A service's signature under its results: Ed25519, by the library cryptography, which is an extra (`signing`).

What is signed is a result's digest: who can check that can check the signature, however the JSON is written.
"""

import base64
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from shardwater.errors import AlignError
from shardwater.search.merge import SearchResult, Signature

ALGORITHM = "Ed25519"


class UnusableKey(AlignError):
    """A file that has no key for signatures; the message ends a sentence that names the file."""


class WrongSignature(AlignError):
    """A result that the key's owner has not signed."""


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key, its public one as PEM, and that one's name in signatures."""

    public_key: str
    name: str
    _key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def read(cls, file: Path) -> "Signer":
        """The key in a file of PEM, as `openssl genpkey -algorithm ed25519` writes it. Raises UnusableKey."""
        try:
            key = load_pem_private_key(_content(file), password=None)
        except (ValueError, TypeError):
            raise UnusableKey("it has no private key as PEM, without a password") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise UnusableKey(f"its key is not of {ALGORITHM}")
        public = key.public_key()
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        return cls(pem, _name(public), key)

    def sign(self, digest: str) -> Signature:
        """The signature under a result with this digest."""
        return Signature(ALGORITHM, self.name, base64.b64encode(self._key.sign(_signed(digest))).decode())


def check_signature(result: SearchResult, public_key: Path) -> None:
    """Raise WrongSignature unless this key's owner has signed the result's digest, UnusableKey for no public key.

    Whether the digest is the result's is for others to say (digests.py).
    """
    key, signature = _read_public(public_key), result.signature
    if signature is None or result.digest is None:
        raise WrongSignature("it is not signed")
    if signature.key != _name(key):
        raise WrongSignature(f"it is signed with another key, {signature.key}; this one is {_name(key)}")
    try:
        key.verify(base64.b64decode(signature.value, validate=True), _signed(result.digest))
    except (InvalidSignature, ValueError):
        raise WrongSignature("its signature is not one of its digest") from None


def _read_public(file: Path) -> Ed25519PublicKey:
    try:
        key = load_pem_public_key(_content(file))
    except ValueError:
        raise UnusableKey("it has no public key as PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise UnusableKey(f"its key is not of {ALGORITHM}")
    return key


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UnusableKey(error.strerror or str(error)) from None


def _signed(digest: str) -> bytes:
    """What is signed: nothing else that the key may be used for begins so."""
    return f"Shardwater result {digest}".encode()


def _name(key: Ed25519PublicKey) -> str:
    """The first 16 hex digits of the SHA-256 of the public key's 32 bytes."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]
