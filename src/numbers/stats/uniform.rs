//! Owns the drawing of numbers that are each as likely as the others.

use rand_chacha::rand_core::Rng;

/// Draws a number below `end`, each as likely as the others to one part in 2⁶⁴/`end`.
pub fn below(random: &mut impl Rng, end: usize) -> usize {
    // The upper half of a product of 64 by 64 bits.
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}
