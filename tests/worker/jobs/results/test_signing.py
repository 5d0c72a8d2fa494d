"""Results are signed by the service's key, and by no other."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from pydantic import TypeAdapter

from shardwater.search.merge import SearchResult
from tests.support.example_results import FOUND, NOTHING, result_of
from worker.jobs.results.digested import digested
from worker.jobs.results.packing import pack
from worker.jobs.results.signing import Signer, UnusableKey, WrongSignature, check_signature
from worker.jobs.results.stored import StoredResult
from worker.settings import Settings, SettingsError

# RFC 8032, section 7.1, test 1: a secret key and its public one.
SECRET = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
NAME = "21fe31dfa154a261"


def private(key: Ed25519PrivateKey, path: Path) -> Path:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path


def public(key: Ed25519PrivateKey, path: Path) -> Path:
    path.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return path


@pytest.fixture
def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(SECRET)


@pytest.fixture
def signer(key: Ed25519PrivateKey, tmp_path: Path) -> Signer:
    return Signer.read(private(key, tmp_path / "signing.pem"))


def test_public_key_is_that_of_the_file_and_the_private_one_is_not_shown(signer: Signer) -> None:
    body = signer.public_key.splitlines()
    assert (body[0], body[2]) == ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")
    assert base64.b64decode(body[1]).endswith(PUBLIC)
    assert signer.name == NAME
    assert "PrivateKey" not in repr(signer)


def test_signature_is_ed25519_of_the_digest_after_a_prefix(signer: Signer, key: Ed25519PrivateKey) -> None:
    made = digested(result_of(FOUND), signer)
    assert made.signature is not None
    assert (made.signature.algorithm, made.signature.key) == ("Ed25519", NAME)
    signed = f"Shardwater result {made.digest}".encode()
    key.public_key().verify(base64.b64decode(made.signature.value), signed)


def test_signed_result_is_known_by_the_public_key(signer: Signer, key: Ed25519PrivateKey, tmp_path: Path) -> None:
    check_signature(digested(result_of(FOUND), signer), public(key, tmp_path / "public.pem"))


def test_signature_that_is_not_the_keys_is_refused(signer: Signer, key: Ed25519PrivateKey, tmp_path: Path) -> None:
    file = public(key, tmp_path / "public.pem")
    made, other = digested(result_of(FOUND), signer), digested(result_of(NOTHING), signer)
    assert made.signature is not None
    with pytest.raises(WrongSignature, match=r"^it is not signed$"):
        check_signature(digested(made), file)
    for value in (other.signature.value if other.signature else "", "", "é", "AAAA"):
        forged = replace(made, signature=replace(made.signature, value=value))
        with pytest.raises(WrongSignature, match=r"^its signature is not one of its digest$"):
            check_signature(forged, file)
    foreign = public(Ed25519PrivateKey.generate(), tmp_path / "foreign.pem")
    with pytest.raises(WrongSignature, match=rf"^it is signed with another key, {NAME}; this one is [0-9a-f]{{16}}$"):
        check_signature(made, foreign)
    with pytest.raises(WrongSignature, match="its signature is not one of its digest"):
        check_signature(replace(made, digest="sha256:" + 64 * "0"), file)


def test_parts_have_digests_and_no_signature(signer: Signer) -> None:
    made = digested(result_of(FOUND, NOTHING), signer)
    kept = StoredResult(pack(TypeAdapter(SearchResult).dump_json(made)))
    part = kept.part(1)
    assert part is not None
    assert part.signature is None
    assert kept.report().signature == made.signature
    assert b'"signature":null' in next(iter(kept.lines()))


def test_keys_that_cannot_sign_stop_the_start(tmp_path: Path, key: Ed25519PrivateKey) -> None:
    other = tmp_path / "ec.pem"
    other.write_bytes(
        generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    locked = tmp_path / "locked.pem"
    locked.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"word")))
    for file, reason in (
        (tmp_path / "none.pem", "No such file or directory"),
        (other, "its key is not of Ed25519"),
        (public(key, tmp_path / "public.pem"), "it has no private key as PEM, without a password"),
        (locked, "it has no private key as PEM, without a password"),
    ):
        with pytest.raises(SettingsError, match=f"^SHARDWATER_SIGNING_KEY_FILE is '{file}': {reason}$"):
            Settings(signing_key_file=str(file)).signer()
    assert Settings().signer() is None


def test_file_without_a_public_key_checks_nothing(signer: Signer, key: Ed25519PrivateKey, tmp_path: Path) -> None:
    made = digested(result_of(FOUND), signer)
    with pytest.raises(UnusableKey, match=r"^it has no public key as PEM$"):
        check_signature(made, private(key, tmp_path / "private.pem"))
    with pytest.raises(UnusableKey, match=r"^No such file or directory$"):
        check_signature(made, tmp_path / "none.pem")
