//! Words that mean the same, or nearly: those that people use for one another when they talk about work and life.

use std::borrow::Cow;

use super::{beginnings::begin_alike, stem::english};

/// The synonyms of the word with a stem: each as written, and its stem.
pub(super) fn synonyms(stem: &str) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
    // Few words of the list begin like the one asked for, so stems of the others need not be known.
    let is_it = move |word: &str| begin_alike(word, stem) && english(word) == stem;
    let groups = GROUPS.iter().filter(move |group| group.split(' ').any(is_it));
    let words = groups.flat_map(|group| group.split(' ')).map(|word| (word, english(word)));
    words.filter(move |(_, other)| *other != stem)
}

/// Words that stand for one another; a longer list was measured and gives no more.
#[rustfmt::skip]
const GROUPS: &[&str] = &[
    // Software and its making.
    "amount cost price", "appointment meeting", "arg argument param parameter", "auth authentication login",
    "backend server", "bug error failure", "client customer", "config configuration setting",
    "crash panic", "credential password", "cron schedule", "database db", "delete remove", "dep dependency",
    "deploy release rollout", "dev development", "dir directory folder", "doc documentation",
    "email mail", "env environment", "fast quick", "format formatter style", "frontend ui", "javascript js",
    "k8s kube kubernetes", "latency perf performance slow", "postgres postgresql", "prod production",
    "repo repository", "revert rollback undo", "timezone tz", "ts typescript", "var variable",
    // People and their lives.
    "afraid fear scared", "animal pet", "artist painter", "athletic sport", "attend join participate", "author writer",
    "award prize", "begin start", "book novel", "business company firm", "buy purchase", "car vehicle",
    "career job occupation profession", "child daughter kid son", "city town", "college university",
    "competition contest tournament", "complete end finish", "conversation discuss talk", "dad father",
    "doctor physician", "donation charity volunteer", "enjoy favorite favourite love", "exercise gym workout",
    "film movie", "finance financial fund money", "fix repair", "food meal", "gift present", "glad happy",
    "grandfather grandpa", "grandmother grandma", "hike trek", "hobby pastime", "holiday vacation", "home house",
    "husband partner spouse wife", "ill sick", "image photo picture", "injury hurt wound", "instruct teach", "jog run",
    "journey travel trip vacation", "learn study", "marriage marry wedding", "mom mother mum", "ocean sea",
    "shop store", "victory win",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str) -> Vec<&'static str> {
        synonyms(&english(word)).map(|(word, _)| word).collect()
    }

    #[test]
    fn a_word_has_those_of_all_its_groups() {
        assert_eq!(of("kubernetes"), ["k8s", "kube"]);
        assert_eq!(of("vacations"), ["holiday", "journey", "travel", "trip"]);
        assert!(of("tripwire").is_empty());
    }

    #[test]
    fn words_of_a_group_have_different_stems() {
        for group in GROUPS {
            let stems: Vec<_> = group.split(' ').map(english).collect();
            for (at, stem) in stems.iter().enumerate() {
                let twin = stems.iter().take(at).find(|other| *other == stem);
                assert_eq!(twin, None, "two words of `{group}` have one stem");
            }
        }
    }
}
