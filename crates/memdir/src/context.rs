//! Recall, and the whole text for an agent.

use std::sync::Arc;

use memdir_recall::{Lexical, Options, Query, Recall, recall, render};
use memdir_store::ReadStore;

use crate::prompt::{Told, join};
use crate::{Error, Memory};

/// What an agent is told at the beginning of its work on a question.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Context {
    /// Instructions, index, and the recalled memories, in this order, each section apart from the next by an empty line.
    pub text: String,
    /// What was recalled.
    pub recall: Recall,
    /// Why the index cannot be read; the text says so in its place.
    pub index_fault: Option<Arc<memdir_store::Error>>,
}

impl<S: ReadStore> Memory<S> {
    /// Finds the memories that help with a question, at most `max` of them, or says why there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the directory cannot be listed.
    pub fn recall(&self, query: &Query<'_>, max: usize) -> Result<Recall, Error> {
        let mut options = Options::new(self.now());
        options.max = max;
        Ok(recall(&self.store, &Lexical::new(), query, &options)?)
    }

    /// Returns instructions, index and recalled memories as one text.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the directory cannot be listed.
    pub fn context(&self, query: &Query<'_>, max: usize) -> Result<Context, Error> {
        let recall = self.recall(query, max)?;
        let Told { text: index, index_fault } = self.index();
        let text = join([self.instructions(), index, render(&recall.attachments)]);
        Ok(Context { text, recall, index_fault })
    }
}
