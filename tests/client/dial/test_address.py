"""B22: what a person types as an address means one thing or is refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.dial.address import Address, BadAddress, is_local, parse_address


@pytest.mark.parametrize(
    ("typed", "uri"),
    [
        ("localhost", "ws://localhost:8765/"),
        ("localhost:1234", "ws://localhost:1234/"),
        (" h:1 ", "ws://h:1/"),
        ("127.0.0.1", "ws://127.0.0.1:8765/"),
        ("[::1]:8765", "ws://[::1]:8765/"),
        ("[::1]", "ws://[::1]:8765/"),
        ("[fe80::1]:99", "ws://[fe80::1]:99/"),
        ("ws://h:1", "ws://h:1/"),
        ("ws://h", "ws://h:8765/"),
        ("ws://[::1]:7/ra", "ws://[::1]:7/ra"),
        ("wss://play.example.org/ra/v1", "wss://play.example.org:443/ra/v1"),
        ("WSS://h:8443/", "wss://h:8443/"),
        ("h:65535", "ws://h:65535/"),
    ],
)
def test_b22_what_can_be_meant_is_read(typed: str, uri: str) -> None:
    assert parse_address(typed).uri == uri


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "::1",
        "::1:8765",
        "fe80::1",
        "localhost:",
        ":8765",
        ":",
        "h:0",
        "h:70000",
        "h:65536",
        "h:x",
        "h:-1",
        "h:+1",
        "h:1 2",
        "h: 1",
        "h:٣",
        "[::1",
        "[::1]x",
        "[::1]:",
        "[::1]:0",
        "[]",
        "[h]:1",
        "[::1%lo]:1",
        "[2001:db8::1%eth0]",
        "[fe80::1%]",
        "[fe80::1%lo",
        "[fe80::1%l o]",
        "[fe80::1%lo/x]",
        "[fe80::1%lo%lo]",
        "fe80::1%lo",
        "127.0.0.1%lo",
        "h ost",
        "h\nost",
        "http://h",
        "https://h:1/",
        "://h",
        "ws://",
        "ws:///path",
        "ws://me@h/",
        "ws://me:secret@h/",
        "ws://h?x=1",
        "ws://h/#x",
        "h/path",
        "a..b",
        "a.",
        "a" * 64,
        "-h",
        "höst",
        "host:²",
        "host:٣",
    ],
)
def test_b22_what_cannot_be_meant_is_one_line(typed: str) -> None:
    with pytest.raises(BadAddress) as refused:
        parse_address(typed)
    text = str(refused.value)
    assert text
    assert text.isprintable()
    assert len(text) < 300


@pytest.mark.parametrize(
    ("typed", "host", "shown"),
    [
        ("[fe80::1%lo]:99", "fe80::1%lo", "[fe80::1%lo]:99"),
        ("[fe80::1%25lo]:99", "fe80::1%lo", "[fe80::1%lo]:99"),
        ("[fe80::1%2]:99", "fe80::1%2", "[fe80::1%2]:99"),
        ("[fe80::1%25]:99", "fe80::1%25", "[fe80::1%25]:99"),
        ("[fe80::1%en0.1]", "fe80::1%en0.1", "[fe80::1%en0.1]:8765"),
        ("ws://[fe80::1%25lo]:99/ra", "fe80::1%lo", "ws://[fe80::1%25lo]:99/ra"),
        ("wss://[fe80::1%lo]:99", "fe80::1%lo", "wss://[fe80::1%25lo]:99/"),
        ("wss://[fe80::1%2525]:99", "fe80::1%25", "wss://[fe80::1%2525]:99/"),
    ],
)
def test_a_link_local_address_has_a_zone(typed: str, host: str, shown: str) -> None:
    """C19: it is kept for the system, and shown; the server is not told of it."""
    address = parse_address(typed)
    assert (address.host, str(address)) == (host, shown)
    assert parse_address(shown) == address
    assert "%" not in address.uri


HOSTS = st.one_of(
    st.from_regex(r"[a-z][a-z0-9-]{0,10}[a-z0-9](\.[a-z]{2,5})?", fullmatch=True),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str),
)


@given(
    st.builds(
        Address,
        HOSTS,
        st.integers(1, 65535),
        st.sampled_from(["/", "/ra", "/a/b-c"]),
        st.booleans(),
    )
)
def test_an_address_shown_reads_as_itself(address: Address) -> None:
    assert parse_address(str(address)) == address
    assert parse_address(address.uri) == address


@given(st.text())
def test_b22_whatever_is_typed_is_an_address_or_refused(typed: str) -> None:
    try:
        address = parse_address(typed)
    except BadAddress:
        return
    assert address.host
    assert 1 <= address.port <= 65535


@pytest.mark.parametrize(
    ("where", "local"),
    [("localhost", True), ("127.0.0.1:9", True), ("[::1]:9", True), ("example.org", False)],
)
def test_an_address_of_this_machine_alone_is_known(where: str, local: bool) -> None:
    assert is_local(where) is local
