"""Text that is no FASTA, recognised by its beginning and its letters, so that an error can say what to do about it.

Asked only when reading has failed: a sequence that happens to begin like something else is read as ever. PIR and words
are looked for before, since titles and names may pass for residues.
"""

import re
import unicodedata

from shardwater.sequences.encoding import as_utf8

OF_PROTEINS, OF_DNA = "an amino acid letter", "a letter of DNA"
"""What a letter of a sequence is."""
BEGINNING = 4096
"""Bytes that are looked at."""
STOCKHOLM = b"# STOCKHOLM"

_PLAIN = "save its sequences as plain text"
_SIGNS = (
    (b"\x1f\x8b\x08", "a gzip file: unpack it first"),
    (b"BZh91AY&SY", "a bzip2 file: unpack it first"),
    (b"\xfd7zXZ", "an xz file: unpack it first"),
    (b"PK\x03\x04", f"a zip file, as Word and Excel write them: unpack it, or {_PLAIN}"),
    (b"%PDF-", f"a PDF file: {_PLAIN}"),
    (b"{\\rtf", f"an RTF file: {_PLAIN}"),
    (b"\xd0\xcf\x11", f"a Word or Excel file: {_PLAIN}"),
    (b"LOCUS  ", "a GenBank file: get the entry as FASTA"),
    (b"ID   ", "a UniProt or EMBL entry: get the entry as FASTA"),
    (b"CLUSTAL", "a Clustal alignment: write it as FASTA, without gaps"),
    (STOCKHOLM, "a Stockholm alignment: write it as FASTA, without gaps"),
)
_MARKUP = ((b"<!doctype html", "an HTML page"), (b"<html", "an HTML page"), (b"<?xml", "XML"), (b"{", "JSON"))
NO_TEXT = "this is no text file: sequences in FASTA are needed"
NUL = "a NUL byte, which no text file has"
PIR = "this looks like PIR (NBRF), which has a title between header and sequence: write it as FASTA"
WORDS = (
    "this looks like words, not a sequence. Look up a name in a database such as UniProt. If it is a sequence, put a "
    "line such as '>query' before it"
)
_LONGEST_WORD, _LONGEST_NAME = 30, 60
"""Letters: words of more are stretches of sequence; a name of more is told by its letters alone."""
_O_AND_U = 30
"""One O or U in so many letters is a word's: proteins have hardly any pyrrolysine or selenocysteine."""
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_UNSAYABLE = re.compile(rb"[^aeiouy]{4}|^[^aeiouy]+$")
_PIR_HEADER = re.compile(rb"\s*>(?:[PF]1|D[LC]|R[LC]|N[13]|XX);", re.IGNORECASE)
_ACCESSION = re.compile(
    rb"[A-Z]{2,3}_?[0-9]{5,9}(\.[0-9]+)?|[A-Z][0-9][A-Z0-9]{3}[0-9]([A-Z0-9]{3}[0-9])?(\.[0-9]+)?|"
    rb"[A-Z]{2,3}\|[A-Z0-9_.-]+(\|[A-Z0-9_.-]*)*"
)
_UNKNOWN = "\ufffd".encode()
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", as_utf8(b"\xff\xfe"), as_utf8(b"\xfe\xff"), 2 * _UNKNOWN)


def recognise(text: bytes, wanted: str = "proteins in FASTA") -> str | None:
    """What text looks like that is no FASTA, and what to do; it may be bytes as they came, or decoded here or by
    a browser, which writes U+FFFD for others than UTF-8's.
    """
    beginning = text[:BEGINNING]
    if _is_wide(beginning):
        return "this looks like UTF-16 text: save it as UTF-8 (or ASCII)"
    if marked := _marked(beginning):
        return marked
    if accessions := _count_accessions(beginning):
        one = "this looks like an accession: its sequence is needed"
        return one if accessions == 1 else "these look like accessions: their sequences are needed"
    if _is_fastq(beginning):
        return f"this looks like FASTQ, reads of DNA: {wanted} are needed"
    if is_pir(text):
        return PIR
    return WORDS if is_words(text) else None


def _marked(beginning: bytes) -> str | None:
    """What it is by its first bytes, or because it has a NUL before any header."""
    for sign, name in _SIGNS:
        if beginning.startswith((sign, as_utf8(sign), sign.decode("utf-8", "replace").encode())):
            return f"this looks like {name}"
    start = beginning.lstrip()[:20].lower()
    if b"\0" in beginning and not start.startswith(b">"):
        return NO_TEXT
    for sign, name in _MARKUP:
        if start.startswith(sign):
            return f"this looks like {name}: take the sequences out of it"
    return None


def is_pir(text: bytes) -> bool:
    """Whether a text begins with a record of PIR: a header with a type, a title, and letters up to an asterisk."""
    if not _PIR_HEADER.match(text):
        return False
    record = text.lstrip().partition(b"\n>")[0].translate(None, b" \t\v\f")
    _, title, letters, *_ = [*record.split(b"\n", 2), b"", b""]
    return bool(title) and b"*\n" in letters + b"\n"


def is_words(text: bytes) -> bool:
    """Whether a text without a header is words with blanks between them, as a protein's name is.

    Sequences in blocks, RNA and three-letter code are none.
    """
    if len(text) > BEGINNING or b">" in text or not any(len(line.split()) > 1 for line in text.splitlines()):
        return False
    if _CONTROL.search(text):
        # The fault is this character, and its place is named.
        return False
    lines = [found for line in text.lower().splitlines() if (found := re.findall(rb"[a-z]+", line))]
    words = [word for line in lines for word in line]
    letters = b"".join(words)
    if not letters.strip(b"acgtun") or max(map(len, words)) > _LONGEST_WORD or {*map(len, words)} == {3}:
        return False
    sayable = not any(map(_UNSAYABLE.search, words))
    if _O_AND_U * (letters.count(b"o") + sayable * letters.count(b"u")) >= len(letters):
        return True
    # Sequences are often pasted in capitals, names hardly ever.
    return sayable and len(letters) <= _LONGEST_NAME and text != text.upper() and not _are_blocks(lines)


def _are_blocks(lines: list[list[bytes]]) -> bool:
    """Whether all words have the same length, but for the last of a line, which may be shorter."""
    block, words = len(lines[0][0]), sum(map(len, lines))
    if any(len(word) != block for line in lines for word in line[:-1]) or any(len(line[-1]) > block for line in lines):
        return False
    return words > 2 or block % 5 == 0


def describe_letter(text: bytes, letters: str = OF_PROTEINS) -> str:
    """What is wrong with the first letter of a text, which is not one of these letters."""
    letter = text[:1].decode("ascii", "replace")
    if letter in "-.":
        return f"'{letter}' is not {letters}: leave out an alignment's gaps"
    if letter.isdigit():
        return f"'{letter}' is not {letters}: leave out the numbers of lines, as GenBank has them"
    if letter == "\0":
        return NUL
    if letter == "\ufffd":
        return _describe_wide(text, letters)
    if letter == ";":
        return f"';' is not {letters}. Put comments on their own lines"
    shown = letter if letter.isprintable() else f"\\x{text[0]:02x}"
    return f"'{shown}' is not {letters}"


def _describe_wide(text: bytes, letters: str) -> str:
    """The same of a letter that is not ASCII, if it is UTF-8."""
    letter = text[:4].decode("utf-8", "ignore")[:1]
    if not letter or not text.startswith(letter.encode()):
        return f"'\\x{text[0]:02x}' is not {letters}: save the text as UTF-8 (or ASCII)"
    name = unicodedata.name(letter, "a letter").lower()
    blank = unicodedata.category(letter) in ("Zs", "Cf")
    return f"U+{ord(letter):04X} ({name}) is not {letters}{': leave it out' if blank else ''}"


def _count_accessions(beginning: bytes) -> int:
    """How many accessions there are, as a list has them, one a line or by commas; 0 where anything else is there."""
    words = re.split(rb"[\s,;]+", beginning.strip(b" \t\r\n,;").upper())
    whole = words[:-1] if len(beginning) == BEGINNING else words
    return len(whole) if all(map(_ACCESSION.fullmatch, whole)) else 0


def _is_wide(beginning: bytes) -> bool:
    """UTF-16 has a NUL for each letter of ASCII, and most often a mark at its beginning."""
    return beginning.count(0) > max(2, len(beginning) // 3) or (
        beginning.startswith(_BYTE_ORDER_MARKS) and b"\0" in beginning
    )


def _is_fastq(beginning: bytes) -> bool:
    """A read is four lines: its name, its letters, a plus sign, its qualities."""
    lines = beginning.split(b"\n", 4)
    return len(lines) > 3 and lines[0][:1] == b"@" and lines[2][:1] == b"+"
