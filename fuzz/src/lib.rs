//! The bodies of the fuzz targets: each takes any bytes and asserts what must hold for all of them.
//!
//! `fuzz_targets/` hands them to libFuzzer. The tests here run them with any toolchain on the files
//! in `seeds/` and on damaged copies of these.

pub mod frontmatter;
pub mod guard;
pub mod index;
pub mod journal;
pub mod mem_path;
pub mod plan;
pub mod prompt;
pub mod rules;
pub mod slugs;
pub mod transcript_reader;
pub mod transcript_tree;
pub mod truncate;

/// Takes the next `N` lines off the front of `text`, empty where there are none.
fn head_lines<const N: usize>(text: &str) -> ([&str; N], &str) {
    let mut rest = text;
    let lines = std::array::from_fn(|_| match rest.split_once('\n') {
        Some((line, below)) => {
            rest = below;
            line
        }
        None => std::mem::take(&mut rest),
    });
    (lines, rest)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Runs `body` on every seed of a target, on its prefixes and with single bytes changed.
    fn replay(target: &str, body: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
        let mut seeds = 0;
        for entry in std::fs::read_dir(&folder).expect("each target has a folder of seeds") {
            let seed = std::fs::read(entry.expect("a readable folder").path()).expect("a seed");
            seeds += 1;
            body(&seed);
            // Long seeds are damaged at fewer places.
            let step = seed.len() / 60 + 1;
            for at in (0..seed.len()).step_by(step) {
                body(&seed[..at]);
                for byte in [b'\n', b'"', 0, 0xff, seed[at] ^ 1] {
                    let mut damaged = seed.clone();
                    damaged[at] = byte;
                    body(&damaged);
                }
            }
        }
        assert!(seeds > 0, "no seed in {}", folder.display());
    }

    #[test]
    fn frontmatter() {
        replay("frontmatter", super::frontmatter::check);
    }

    #[test]
    fn guard() {
        replay("guard", super::guard::check);
    }

    #[test]
    fn index() {
        replay("index", super::index::check);
    }

    #[test]
    fn journal() {
        replay("journal", super::journal::check);
    }

    #[test]
    fn mem_path() {
        replay("mem_path", super::mem_path::check);
    }

    #[test]
    fn plan() {
        replay("plan", super::plan::check);
    }

    #[test]
    fn prompt() {
        replay("prompt", super::prompt::check);
    }

    #[test]
    fn rules() {
        replay("rules", super::rules::check);
    }

    #[test]
    fn slugs() {
        replay("slugs", super::slugs::check);
    }

    #[test]
    fn transcript_reader() {
        replay("transcript_reader", super::transcript_reader::check);
    }

    #[test]
    fn transcript_tree() {
        replay("transcript_tree", super::transcript_tree::check);
    }

    #[test]
    fn truncate() {
        replay("truncate", super::truncate::check);
    }
}
