//! Memory directories made from a seed.

pub mod rules;
pub mod transcript;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use memdir_core::age::format_rfc3339;

/// What to make.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recipe {
    /// Memories outside `team/` and `logs/`.
    pub memories: u32,
    /// Equal seeds give equal bytes, names and times.
    pub seed: u64,
}

impl Recipe {
    /// A recipe with the seed that the published figures use.
    pub const fn of(memories: u32) -> Self {
        Self { memories, seed: 7 }
    }
}

/// The youngest file is a little older than this: seconds since 1970, 2026-09-21.
const NEWEST: u64 = 1_790_000_000;
/// Times spread over a year, in seconds.
const SPAN: u64 = 365 * 86_400;
/// Index lines at most, so that the index stays within its own limit.
const INDEX_LINES: u32 = 190;

const WORDS: &str = "harbour berth invoice tide crane pilot cargo manifest customs gate quay \
    schedule vessel draft mooring winch buoy radar channel ferry dock lantern signal rope anchor \
    weather storm season tariff ledger receipt refund deposit contract partner vendor license \
    archive export import parser lexer router handler session token cookie header payload schema \
    migration replica index query latency cache queue worker retry timeout budget metric trace \
    alert runbook incident rollback release branch review commit format locale translation font \
    colour layout button keyboard screen reader contrast deploy canary feature flag secret vault \
    region cluster node image registry volume snapshot backup restore audit policy consent \
    interview meeting agenda decision deadline estimate scope risk owner answer question summary";
const HAN: &str =
    "泊位预订价格港口数据测试回滚部署接口面板日志审计迁移快照发票结算用户偏好简洁说明";
const KINDS: [&str; 4] = ["user", "feedback", "project", "reference"];

/// Fills `root`, which exists and is empty: the memories, `MEMORY.md`, a little `team/` and `logs/`.
///
/// Every memory has a modification time of its own.
/// Sixty of a hundred have the nested shape with a date, the others the flat one, CRLF or none.
pub fn write(root: &Path, recipe: Recipe) -> io::Result<()> {
    let mut dice = Dice(recipe.seed);
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut index = String::from("# Index\n\n");
    for number in 0..recipe.memories {
        let kind = dice.pick(&KINDS);
        let folder = if dice.below(100) < 94 { String::new() } else { area(root, &mut dice)? };
        let slug = format!("{}-{}-{number}", dice.word(&words), dice.word(&words));
        let path = format!("{folder}{kind}_{slug}.md");
        let described = if dice.below(100) < 12 {
            dice.han()
        } else {
            let length = 6 + dice.below(10);
            dice.sentence(&words, length)
        };
        let at = SystemTime::UNIX_EPOCH
            + Duration::new(NEWEST - dice.below(SPAN), number % 1_000_000_000);
        let mut text = frontmatter(&mut dice, kind, &slug, &described, at);
        let size = dice.size();
        while text.len() < size {
            let length = 8 + dice.below(10);
            text += &dice.sentence(&words, length);
            text += ".\n";
        }
        put(&root.join(&path), text.as_bytes(), at)?;
        if number < INDEX_LINES {
            writeln!(index, "- [{slug}]({path}) — {described}").map_err(io::Error::other)?;
        }
    }
    let newest = SystemTime::UNIX_EPOCH + Duration::from_secs(NEWEST);
    for (folder, name) in [("team", "project_shared.md"), ("logs/2026/09", "2026-09-20.md")] {
        fs::create_dir_all(root.join(folder))?;
        put(&root.join(folder).join(name), b"---\nname: apart\n---\n\nNot ours.\n", newest)?;
    }
    put(&root.join("MEMORY.md"), index.as_bytes(), newest)
}

fn area(root: &Path, dice: &mut Dice) -> io::Result<String> {
    let folder = format!("area{}/", dice.below(20));
    fs::create_dir_all(root.join(&folder))?;
    Ok(folder)
}

fn frontmatter(dice: &mut Dice, kind: &str, slug: &str, described: &str, at: SystemTime) -> String {
    let quote = if dice.below(100) < 15 { "\"" } else { "" };
    let described = format!("{quote}{described}{quote}");
    match dice.below(100) {
        0..60 => format!(
            "---\nname: {slug}\ndescription: {described}\nmetadata:\n  node_type: memory\n  \
             type: {kind}\n  originSessionId: {:08x}-0000-4000-8000-000000000000\n  \
             modified: {}\n---\n\n",
            dice.next() >> 32,
            format_rfc3339(at),
        ),
        60..85 => format!("---\nname: {slug}\ndescription: {described}\ntype: {kind}\n---\n\n"),
        85..95 => format!(
            "---\r\nname: {slug}\r\ndescription: {described}\r\ntype: {kind}\r\n---\r\n\r\n"
        ),
        _ => format!("# {slug}\n\n"),
    }
}

fn put(path: &Path, bytes: &[u8], at: SystemTime) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.set_modified(at)
}

/// `SplitMix64`: small, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let at = usize::try_from(self.next()).unwrap_or(usize::MAX) % from.len().max(1);
        from.get(at).copied().unwrap_or_default()
    }

    /// A word with a heavy head and a long tail, so that document frequencies look natural.
    fn word<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let shorter = usize::try_from(1 + self.below(100)).unwrap_or(1);
        let most = (words.len() * shorter).div_ceil(100);
        self.pick(words.get(..most).unwrap_or(words))
    }

    fn sentence(&mut self, words: &[&str], length: u64) -> String {
        (0..length).map(|_| self.word(words)).collect::<Vec<_>>().join(" ")
    }

    fn han(&mut self) -> String {
        let letters: Vec<char> = HAN.chars().collect();
        let length = 10 + self.below(20);
        let last = u64::try_from(letters.len()).unwrap_or(1);
        (0..length)
            .filter_map(|_| letters.get(usize::try_from(self.below(last)).unwrap_or(0)).copied())
            .collect()
    }

    /// Bytes of a file: about 700 in the middle, from 30 to 15,360.
    fn size(&mut self) -> usize {
        let doublings = self.below(3) + self.below(3) + self.below(3) + self.below(3);
        let least = 30_u64 << doublings.min(8);
        usize::try_from(least + self.below(least)).unwrap_or(700)
    }
}
