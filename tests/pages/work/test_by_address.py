"""What counts as one address, and how often one may ask."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.work.by_address import Rate, network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::ffff:1:2:3", "2001:db8::/64"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", ""),
        ("127.9.9.9", ""),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        ("", ""),
        (None, ""),
        ("testclient", ""),
    ],
)
def test_an_address_counts_as_its_network(address, network):
    assert network_of(address) == network


def test_addresses_are_counted_apart():
    rate = Rate(2, 60, "question")
    assert [rate.takes("192.0.2.7") for _ in range(3)] == [True, True, False]
    assert [rate.takes("192.0.2.8") for _ in range(3)] == [True, True, False]


def test_of_many_at_once_no_more_are_let_through():
    rate = Rate(30, 60, "question")
    with ThreadPoolExecutor(16) as threads:
        assert sum(threads.map(lambda _: rate.takes("192.0.2.7"), range(500))) == 30
