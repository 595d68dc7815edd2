//! Reading, writing and editing frontmatter.

mod blocks;
mod cases;
mod edits;
mod entries;
mod properties;
mod rendered;
mod values;

/// The lines of each that are left when the lines that both begin and end with are taken away.
fn changed<'a>(old: &'a str, new: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let mut old: Vec<_> = old.split_inclusive('\n').collect();
    let mut new: Vec<_> = new.split_inclusive('\n').collect();
    while !old.is_empty() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    (old.split_off(same), new.split_off(same))
}
