//! What becomes of memory that a run has given back.
//!
//! glibc's allocator raises the size from which it takes a block from the system, up to 32 MiB, each time such a block
//! is freed, and keeps what is smaller: after some strings of 16 MB a process would sit on hundreds of megabytes that
//! nobody uses, beyond what the memory limit counts. With a fixed size a freed block of it goes back at once.

/// The smallest block, in bytes, that is mapped by itself. Pages of a site are smaller.
#[cfg(target_env = "gnu")]
const MAPPED: libc::c_int = 4 << 20;

/// Give large blocks back to the system when they are freed. Does nothing where the allocator is not glibc's.
pub fn return_large_blocks() {
    #[cfg(target_env = "gnu")]
    #[allow(unsafe_code, reason = "mallopt only stores numbers, and no second thread runs yet")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
        // To fix the one is to fix the other, to little. Twice as much is what glibc itself keeps to.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * MAPPED);
    }
}
