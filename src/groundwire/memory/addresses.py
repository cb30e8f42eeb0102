"""Which addresses a check may connect to: the public internet, and nothing behind or beside it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Protocol

WEB_PORTS = frozenset({80, 443})

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# The registries of special addresses, written out: what Python takes for global differs between its versions.
_SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
    192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    2001::/23 2001:db8::/32 3fff::/20
    """.split()  # noqa: SIM905
)
_GLOBAL_V6 = ipaddress.ip_network("2000::/3")
# Public by its number, but answered by the machine's own cloud.
_METADATA = frozenset({ipaddress.ip_address("168.63.129.16")})
_NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))


class AddressPolicy(Protocol):
    """Says why a connection must not be made; None when it may."""

    def refuse(self, address: str, port: int) -> str | None: ...


@dataclass(frozen=True, slots=True)
class PublicAddresses:
    """Refuses loopback, private, link-local, shared, multicast, reserved and metadata addresses in every notation."""

    ports: frozenset[int] = WEB_PORTS

    def refuse(self, address: str, port: int) -> str | None:
        if port not in self.ports:
            return f"port {port} is not allowed"
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return "the address is not a plain IP address"
        for form in _unwrap(parsed):
            if not _is_public(form):
                return "the address is not public"
        return None


@dataclass(frozen=True, slots=True)
class AnyAddress:
    """For a server that the operator named in the settings: it may well stand in the own network."""

    def refuse(self, address: str, port: int) -> str | None:
        return None


def _is_public(address: IpAddress) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and (address.scope_id or address not in _GLOBAL_V6):
        return False
    return address.is_global and address not in _METADATA and not any(address in network for network in _SPECIAL)


def _unwrap(address: IpAddress) -> list[IpAddress]:
    """The address, and the IPv4 addresses that it carries inside."""
    forms: list[IpAddress] = [address]
    if isinstance(address, ipaddress.IPv4Address):
        return forms
    if any(address in network for network in _NAT64):
        # Judged by what it leads to; the prefix itself counts as reserved.
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if int(address) >> 32 == 0 and int(address) > 1:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.sixtofour is not None:
        forms.append(address.sixtofour)
    if address.teredo is not None:
        forms.extend(address.teredo)
    return forms
