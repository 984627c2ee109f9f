//! The sums themselves.
use digest::DynDigest;

/// A kind of sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Bsd,
    Sysv,
    Crc,
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    /// With so many bits.
    Blake2b(usize),
    Sm3,
}

impl Algorithm {
    /// All of them, as `cksum -a` names them.
    pub(crate) const NAMES: &[(&str, Algorithm)] = &[
        ("bsd", Algorithm::Bsd),
        ("sysv", Algorithm::Sysv),
        ("crc", Algorithm::Crc),
        ("md5", Algorithm::Md5),
        ("sha1", Algorithm::Sha1),
        ("sha224", Algorithm::Sha224),
        ("sha256", Algorithm::Sha256),
        ("sha384", Algorithm::Sha384),
        ("sha512", Algorithm::Sha512),
        ("blake2b", Algorithm::Blake2b(512)),
        ("sm3", Algorithm::Sm3),
    ];

    /// The same with another number of bits, where it has a choice; 0 leaves it.
    pub(crate) fn with_length(self, bits: usize) -> Algorithm {
        match self {
            Algorithm::Blake2b(_) if bits > 0 => Algorithm::Blake2b(bits),
            other => other,
        }
    }

    /// Its name in a line of `--tag`.
    pub(crate) fn tag(self) -> String {
        match self {
            Algorithm::Bsd => "BSD".to_string(),
            Algorithm::Sysv => "SYSV".to_string(),
            Algorithm::Crc => "CRC".to_string(),
            Algorithm::Md5 => "MD5".to_string(),
            Algorithm::Sha1 => "SHA1".to_string(),
            Algorithm::Sha224 => "SHA224".to_string(),
            Algorithm::Sha256 => "SHA256".to_string(),
            Algorithm::Sha384 => "SHA384".to_string(),
            Algorithm::Sha512 => "SHA512".to_string(),
            Algorithm::Blake2b(512) => "BLAKE2b".to_string(),
            Algorithm::Blake2b(bits) => format!("BLAKE2b-{bits}"),
            Algorithm::Sm3 => "SM3".to_string(),
        }
    }

    /// The algorithm whose lines have this tag.
    pub(super) fn tagged(tag: &str) -> Option<Algorithm> {
        if let Some(bits) = tag.strip_prefix("BLAKE2b-") {
            return bits.parse().ok().filter(|bits| bits % 8 == 0 && (8..=512).contains(bits)).map(Algorithm::Blake2b);
        }
        Algorithm::NAMES.iter().map(|(_, algorithm)| *algorithm).find(|algorithm| algorithm.tag() == tag)
    }

    /// Hexadecimal digits of a sum; none for those that are decimal numbers.
    pub(super) fn digits(self) -> Option<usize> {
        Some(match self {
            Algorithm::Bsd | Algorithm::Sysv | Algorithm::Crc => return None,
            Algorithm::Md5 => 32,
            Algorithm::Sha1 => 40,
            Algorithm::Sha224 => 56,
            Algorithm::Sha256 | Algorithm::Sm3 => 64,
            Algorithm::Sha384 => 96,
            Algorithm::Sha512 => 128,
            Algorithm::Blake2b(bits) => bits / 4,
        })
    }

    pub(super) fn hasher(self) -> Hasher {
        match self {
            Algorithm::Bsd => Hasher::Bsd(0),
            Algorithm::Sysv => Hasher::Sysv(0),
            Algorithm::Crc => Hasher::Crc(Box::new(crc_table()), 0),
            Algorithm::Md5 => Hasher::Digest(Box::new(md5::Md5::default())),
            Algorithm::Sha1 => Hasher::Digest(Box::new(sha1::Sha1::default())),
            Algorithm::Sha224 => Hasher::Digest(Box::new(sha2::Sha224::default())),
            Algorithm::Sha256 => Hasher::Digest(Box::new(sha2::Sha256::default())),
            Algorithm::Sha384 => Hasher::Digest(Box::new(sha2::Sha384::default())),
            Algorithm::Sha512 => Hasher::Digest(Box::new(sha2::Sha512::default())),
            Algorithm::Sm3 => Hasher::Digest(Box::new(sm3::Sm3::default())),
            Algorithm::Blake2b(bits) => {
                use blake2::digest::VariableOutput;
                match blake2::Blake2bVar::new(bits / 8) {
                    Ok(hasher) => Hasher::Blake2b(Box::new(hasher), bits / 8),
                    Err(_) => Hasher::Digest(Box::new(blake2::Blake2b512::default())),
                }
            }
        }
    }
}

/// A sum being made.
pub(super) enum Hasher {
    /// Rotates right by one before each byte.
    Bsd(u16),
    /// Adds up.
    Sysv(u32),
    /// POSIX `cksum`: CRC-32 with the length appended.
    Crc(Box<[u32; 256]>, u32),
    Digest(Box<dyn DynDigest>),
    Blake2b(Box<blake2::Blake2bVar>, usize),
}

impl Hasher {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Bsd(sum) => {
                for &byte in bytes {
                    *sum = sum.rotate_right(1).wrapping_add(u16::from(byte));
                }
            }
            Hasher::Sysv(sum) => {
                for &byte in bytes {
                    *sum = sum.wrapping_add(u32::from(byte));
                }
            }
            Hasher::Crc(table, crc) => {
                for &byte in bytes {
                    *crc = *crc << 8 ^ table[usize::from((*crc >> 24) as u8 ^ byte)];
                }
            }
            Hasher::Digest(digest) => digest.update(bytes),
            Hasher::Blake2b(digest, _) => blake2::digest::Update::update(&mut **digest, bytes),
        }
    }

    /// The sum of `count` bytes as text.
    pub(super) fn finish(mut self, count: u64) -> String {
        if let Hasher::Crc(..) = self {
            let mut left = count;
            while left > 0 {
                self.update(&[left as u8]);
                left >>= 8;
            }
        }
        match self {
            Hasher::Bsd(sum) => format!("{sum:05}"),
            Hasher::Sysv(sum) => {
                let folded = (sum & 0xffff) + (sum >> 16);
                ((folded & 0xffff) + (folded >> 16)).to_string()
            }
            Hasher::Crc(_, crc) => (!crc).to_string(),
            Hasher::Digest(digest) => hex(&digest.finalize()),
            Hasher::Blake2b(digest, length) => {
                use blake2::digest::VariableOutput;
                let mut sum = vec![0; length];
                // The only failure is a buffer of another length.
                let _ = digest.finalize_variable(&mut sum);
                hex(&sum)
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn crc_table() -> [u32; 256] {
    std::array::from_fn(|byte| {
        (0..8).fold((byte as u32) << 24, |crc, _| if crc >> 31 == 1 { crc << 1 ^ 0x04c1_1db7 } else { crc << 1 })
    })
}
