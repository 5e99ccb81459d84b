"""The members of a zip archive, unpacked within bounds.

A member says how long it is; no more than that is ever made of it, whatever is in it. The
standard library reads zstd from Python 3.14 on; before, an extra of the package (``zstd``) does.
"""

from __future__ import annotations

import sys
import zlib
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipInfo

ZSTD = 93
"""The method of members packed with zstd."""

MOST_COPIED = 1 << 34
"""Bytes that may be copied for a member of many frames: what is left of it is, after each."""

_HEADER = 30
_ENCRYPTED = 1


def zstd() -> Any:
    """The module that unpacks zstd, None where there is none."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd as found  # noqa: PLC0415 - not in every build
        else:
            from backports import zstd as found  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    return found


def unpacked(data: bytes, member: ZipInfo) -> bytes:
    """What a member of the archive ``data`` holds.

    Raises ``ValueError`` where it is damaged, encrypted, longer than it says, or packed in a
    way that is not known; what unpacks it may raise errors of its own.
    """
    if member.flag_bits & _ENCRYPTED:
        raise ValueError("encrypted")
    at = member.header_offset
    names = data[at + 26 : at + _HEADER]
    if len(names) < 4:
        raise ValueError("no header")
    start = at + _HEADER + sum(int.from_bytes(names[n : n + 2], "little") for n in (0, 2))
    packed = data[start : start + member.compress_size]
    whole = _unpack(packed, member.compress_type, member.file_size)
    if len(whole) != member.file_size or zlib.crc32(whole) != member.CRC:
        raise ValueError("damaged")
    return whole


def _unpack(packed: bytes, method: int, size: int) -> bytes:
    """At most one byte more than ``size``. Raises ``ValueError`` for other methods."""
    if method == ZIP_STORED:
        return packed
    if method == ZIP_DEFLATED:
        return zlib.decompressobj(wbits=-zlib.MAX_WBITS).decompress(packed, size + 1)
    found = zstd() if method == ZSTD else None
    if found is None:
        raise ValueError("unknown method")
    whole = b""
    copied = 0
    while packed and len(whole) <= size:
        frame = found.ZstdDecompressor()
        whole += frame.decompress(packed, size + 1 - len(whole))
        packed = frame.unused_data if frame.eof else b""
        copied += len(packed) + len(whole)
        if copied > MOST_COPIED:
            raise ValueError("too many frames")
    return whole
