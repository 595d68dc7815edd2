//! Looks for the words of one question in one pass over the documents, without an index.

use std::collections::HashMap;

use memdir_core::text::{TokenKind, tokens};

use super::{
    collect::{Collected, Counts, Hits, Lengths, Place, texts, tongue_of},
    language::Tongue,
    near::Near,
    terms::Terms,
};
use crate::{Document, Field};

pub(super) fn find(terms: &Terms, documents: &[Document<'_>]) -> (Vec<Hits>, Lengths) {
    let mut collected: Vec<Collected> = terms.list.iter().map(|_| Collected::default()).collect();
    let mut lengths = vec![[0_u16; Field::ALL.len()]; documents.len()];
    // Most words stand in many places and match nothing, so each is compared once in each language.
    let mut languages: HashMap<Tongue, HashMap<String, Vec<(usize, Near)>>> = HashMap::new();
    for ((document, texts), lengths) in documents.iter().map(texts).enumerate().zip(&mut lengths) {
        let tongue = if terms.has_further_stems() { tongue_of(&texts) } else { Tongue::English };
        let known = languages.entry(tongue).or_default();
        let fields = texts.into_iter().zip(lengths).enumerate();
        for (field, (pieces, length)) in fields {
            let mut counts = Counts::default();
            counts.iter_mut().skip(field).take(1).for_each(|count| *count = 1);
            for piece in pieces {
                let mut tokens = tokens(piece);
                loop {
                    let passed = tokens.pass_over(|word| terms.may_match(word, tongue));
                    *length = length.saturating_add(u16::try_from(passed).unwrap_or(u16::MAX));
                    let Some(token) = tokens.next() else { break };
                    let is_whole = token.kind != TokenKind::Part;
                    *length = length.saturating_add(u16::from(is_whole));
                    let may_match = match token.kind {
                        TokenKind::Cjk => terms.may_match_pair(&token.text),
                        _ => terms.may_match(&token.text, tongue),
                    };
                    if !may_match {
                        continue;
                    }
                    let place = Place { document, counts, is_whole };
                    if let Some(matches) = known.get(&*token.text) {
                        add(&mut collected, matches, place);
                        continue;
                    }
                    let matches = terms.matches(&token, tongue);
                    for &(term, near) in &matches {
                        if let Some(collected) = collected.get_mut(term) {
                            collected.add_word(near, &token.text);
                        }
                    }
                    add(&mut collected, &matches, place);
                    known.insert(token.text.into_owned(), matches);
                }
            }
        }
    }
    (collected.into_iter().map(Collected::into_hits).collect(), Lengths::new(lengths))
}

fn add(collected: &mut [Collected], matches: &[(usize, Near)], place: Place) {
    for &(term, near) in matches {
        if let Some(collected) = collected.get_mut(term) {
            collected.add(near, place);
        }
    }
}
