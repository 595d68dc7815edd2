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
            for token in pieces.into_iter().flat_map(tokens) {
                let is_whole = token.kind != TokenKind::Part;
                *length = length.saturating_add(u16::from(is_whole));
                if !terms.may_match(&token) {
                    continue;
                }
                if !known.contains_key(&*token.text) {
                    let matches = terms.matches(&token, tongue);
                    for &(term, near) in &matches {
                        if let Some(collected) = collected.get_mut(term) {
                            collected.add_word(near, &token.text);
                        }
                    }
                    known.insert(token.text.clone().into_owned(), matches);
                }
                let matches = known.get(&*token.text).map(Vec::as_slice).unwrap_or_default();
                for &(term, near) in matches {
                    if let Some(collected) = collected.get_mut(term) {
                        collected.add(near, Place { document, counts, is_whole });
                    }
                }
            }
        }
    }
    (collected.into_iter().map(Collected::into_hits).collect(), Lengths::new(lengths))
}
