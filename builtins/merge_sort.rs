//! A stable sort for comparisons that may fail, and may contradict themselves: a user's function, NaN, a run that is
//! stopped. The standard library's sort may panic on those.
use std::cmp::Ordering;

/// Sort `items`; the first error of `compare` ends it.
pub(crate) fn merge_sort<T, E>(
    mut items: Vec<T>,
    compare: &mut dyn FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<Vec<T>, E> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let left = merge_sort(items, compare)?;
    let right = merge_sort(right, compare)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        let taken = if compare(first, second)? == Ordering::Greater { right.next() } else { left.next() };
        merged.extend(taken);
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_stay_in_order_and_errors_end_it() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let sorted = merge_sort(items, &mut |left: &(i32, char), right| Ok::<_, ()>(left.0.cmp(&right.0)));
        assert_eq!(sorted, Ok(vec![(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]));
        assert_eq!(merge_sort(vec![1, 2], &mut |_, _| Err("stopped")), Err("stopped"));
    }
}
