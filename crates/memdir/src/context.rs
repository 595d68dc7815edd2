//! Recall, and the whole text for an agent.

use std::sync::Arc;

use memdir_core::{MemPath, frontmatter};
use memdir_recall::{
    Draft, Finding, Lexical, Options, Query, Recall, Usage, Verifier, recall, render,
};
use memdir_store::ReadStore;

use crate::prompt::{PromptText, join};
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
        self.recall_used(query, max, Usage::new())
    }

    /// Like [`Memory::recall`]; of memories that fit alike those that were of use before come first.
    ///
    /// # Errors
    ///
    /// As [`Memory::recall`].
    pub fn recall_used(
        &self,
        query: &Query<'_>,
        max: usize,
        usage: Usage,
    ) -> Result<Recall, Error> {
        Ok(recall(&self.store, &Lexical::new(), query, &self.options(max, usage))?)
    }

    /// Ranks like [`Memory::recall_used`], reads no memory yet, and notes what a model may choose from; the store attaches.
    ///
    /// # Errors
    ///
    /// As [`Memory::recall`].
    pub fn draft(&self, query: &Query<'_>, max: usize, usage: Usage) -> Result<Draft, Error> {
        let options = self.options(max, usage);
        Ok(Draft::for_model(&self.store, &Lexical::new(), query, &options)?)
    }

    fn options(&self, max: usize, usage: Usage) -> Options {
        let mut options = Options::new(self.now());
        options.max = max;
        options.usage = usage;
        options
    }

    /// Returns instructions, index and recalled memories as one text.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the directory cannot be listed.
    pub fn context(&self, query: &Query<'_>, max: usize) -> Result<Context, Error> {
        Ok(self.context_with(self.recall(query, max)?))
    }

    /// Returns instructions, index and memories that were recalled before as one text.
    pub fn context_with(&self, recall: Recall) -> Context {
        let PromptText { text: index, index_fault } = self.index();
        let text = join([self.instructions(), index, render(&recall.attachments)]);
        Context { text, recall, index_fault }
    }

    /// Returns what a memory names that a project does not have, with lines of the file; none for a file that is absent.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the file cannot be read.
    pub fn verify(
        &self,
        path: &MemPath,
        verifier: &mut Verifier<'_>,
    ) -> Result<Vec<Finding>, Error> {
        let text = self.text(path)?.unwrap_or_default();
        let body = frontmatter::parse(&text).body;
        let head = text.strip_suffix(body).unwrap_or_default();
        // Of the frontmatter only the description is prose; the lines of the rest are kept, empty.
        let prose =
            head.lines().map(|line| if line.starts_with("description:") { line } else { "" });
        let prose: Vec<_> = prose.chain(body.lines()).collect();
        Ok(verifier.verify(&prose.join("\n")))
    }
}
