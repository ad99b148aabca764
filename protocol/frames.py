"""The frames that every action brings, put together without a codec.

One entry becomes one `Update` for each audience, and all of them hold the same public part: it is
packed once, and its bytes go into everybody's frame. The result is byte for byte what every
`server_codec` makes of `Update(...)`, and likewise of `Accepted`: both are the same in each
version. Does not know about sockets or games.

All functions here share one packer, so only one thread, the event loop's, may call them.
"""

from __future__ import annotations

import msgpack

from protocol.codec import Tree

_pack = msgpack.Packer(use_bin_type=True).pack
"""One packer for all frames: making one takes as long as using it."""
_HEAD = b"\x94\x05"
"""An array of 4, and the tag of `Update`."""
_NIL = b"\xc0"
ACT_HEAD = b"\x94\x09"
"""How a client's frame of an `Act` begins, and no other message: an array of 4, and its tag."""
_ACCEPTED = b"\x93\x06\xc4"
"""An array of 3, the tag of `Accepted`, and bytes of a length that follows."""


def pack_part(happened: tuple[Tree, ...], delta: Tree) -> bytes:
    """The bytes of one part of an update: what happened, and the change of the view, both from a
    `Projector`."""
    packed: bytes = _pack((happened, delta))
    return packed


def update_frames(
    number: int, public: bytes, private: dict[int, bytes]
) -> tuple[bytes, dict[int, bytes]]:
    """The frame of entry `number` for everybody, and the frames of those seats that
    have a private part, from the bytes of `pack_part`."""
    head = _HEAD + _pack(number) + public
    return head + _NIL, {seat: head + part for seat, part in private.items()}


def accepted_frame(id: bytes, number: int) -> bytes:
    """The frame that says that the command `id` (at most 255 bytes) is entry `number`."""
    packed: bytes = _pack(number)
    return _ACCEPTED + bytes((len(id),)) + id + packed
