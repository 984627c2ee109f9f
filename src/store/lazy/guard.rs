//! Which https addresses a pointer may lead to: hosts that the configuration lists, and of them no address inside the
//! machine's own network, whatever the host's name resolves to, unless that address is listed too.
use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

/// Whether a pointer to `url` may be followed; else what the file is, as the end of a sentence.
pub(super) fn check(url: &Url, hosts: &[String]) -> Result<(), &'static str> {
    let refused = Err("is at an address that the site does not allow");
    if url.scheme() != "https" || !url.username().is_empty() || url.password().is_some() {
        return refused;
    }
    let Some(host) = url.host_str() else { return refused };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host)) {
        true => Ok(()),
        false => refused,
    }
}

/// A resolver that knows no private address, except those that are listed.
pub(super) struct Public {
    listed: Arc<[IpAddr]>,
}

impl Public {
    pub(super) fn new(hosts: &[String]) -> Public {
        Public { listed: hosts.iter().filter_map(|host| host.parse().ok()).collect() }
    }
}

impl Resolve for Public {
    fn resolve(&self, name: Name) -> Resolving {
        let listed = self.listed.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<_> = found.filter(|at| is_public(at.ip()) || listed.contains(&at.ip())).collect();
            match allowed.is_empty() {
                true => Err(io::Error::other("no public address").into()),
                false => Ok(Box::new(allowed.into_iter()) as Addrs),
            }
        })
    }
}

/// Whether an address belongs to the public network.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped().or_else(|| embedded(v6)) {
            Some(v4) => is_public_v4(v4),
            None => is_public_v6(v6),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_special = a == 0 || a >= 240 || (a == 192 && b == 0 && c == 0) || (a == 198 && (18..20).contains(&b));
    let is_relay = a == 192 && b == 88 && c == 99;
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || is_shared
        || is_relay
        || is_special)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // All that has been given to the public network so far, without the blocks for examples, and without the one for
    // protocols, in which Teredo's addresses stand for IPv4 ones.
    let [first, second, ..] = address.segments();
    let is_example = (first == 0x2001 && second == 0x0db8) || (first == 0x3fff && second < 0x1000);
    let is_protocol = first == 0x2001 && second < 0x0200;
    first & 0xe000 == 0x2000 && !is_example && !is_protocol
}

/// The IPv4 address that one of NAT64 or 6to4 stands for.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = address.segments();
    let v4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match s {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_told_from_public_ones() {
        let public = ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"];
        let private = [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "3fff:fff::1",
            "2001:0:7f00:1::",
            "2001:10::1",
            "192.88.99.1",
            "::127.0.0.1",
            "64:ff9b:1::7f00:1",
            "ff02::1",
        ];
        assert!(public.iter().all(|address| is_public(address.parse().unwrap())));
        for address in private {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn hosts_are_compared_whole() {
        let hosts = ["specs.acme.com".to_string(), "::1".to_string()];
        let is_allowed = |url: &str| check(&Url::parse(url).unwrap(), &hosts).is_ok();
        assert!(is_allowed("https://specs.acme.com/x") && is_allowed("https://SPECS.acme.com:8443/x"));
        assert!(is_allowed("https://[::1]/x"));
        for url in [
            "https://acme.com/",
            "https://specs.acme.com.evil/",
            "https://a:b@specs.acme.com/",
            "http://specs.acme.com/",
        ] {
            assert!(!is_allowed(url), "{url}");
        }
    }
}
