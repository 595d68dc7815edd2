//! What is found, where, and how it is told without the value of a secret.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

/// Something in a text that a person should look at.
///
/// It never holds the value of a secret, so it may be printed and logged. Displays as one line: where, what, and by which rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// Where it stands in the text that was given, in bytes; both ends are character boundaries.
    pub span: Range<usize>,
    /// The line in which it begins, from 1; lines end with `\n`.
    pub line: usize,
    /// Where in the line it begins, in Unicode scalar values, from 1.
    pub column: usize,
}

/// What a [`Finding`] is; displays as a clause.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A key, token or password.
    Secret {
        /// The rule that found it, by its name in gitleaks; our own begin with `own-`.
        rule: &'static str,
    },
    /// Characters that nobody sees.
    Hidden {
        /// Which.
        what: Hidden,
        /// The text that they carry, cut to 1,000 bytes, with secrets in it blotted out; absent where they carry none.
        decoded: Option<String>,
    },
    /// A phrase that gives orders to a model; a hint and no proof.
    Instruction {
        /// What it orders.
        what: Instruction,
    },
}

/// Kinds of characters that nobody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Hidden {
    /// Tag characters, which mirror ASCII.
    Tags,
    /// Controls that turn the direction of writing around.
    Bidi,
    /// Spaces and joiners without width.
    ZeroWidth,
    /// Selectors of a variant of the character before, where there is none to select.
    VariationSelectors,
    /// Soft hyphens, fillers and others that show as nothing.
    Ignorable,
    /// Controls of a terminal, such as escapes and backspaces, and carriage returns in the middle of a line.
    Controls,
}

/// What a phrase orders a model to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Instruction {
    /// To disregard its instructions or the limits that it has.
    Override,
    /// To take the text for a turn of another role.
    RoleTurn,
    /// To act later, on a trigger or in every session.
    Sleeper,
    /// To hide something from the user.
    Concealment,
    /// To send data away, or to fetch and run what is elsewhere.
    Exfiltration,
    /// To take the text for a call of a tool or its result.
    ToolCall,
    /// To obey an authority that is only claimed.
    Authority,
}

impl Kind {
    /// Returns a short name for programs: `secret`, `hidden` or `instruction`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Secret { .. } => "secret",
            Self::Hidden { .. } => "hidden",
            Self::Instruction { .. } => "instruction",
        }
    }

    /// Returns the rule within the kind: the rule of a secret, the short name of what is hidden or ordered.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Secret { rule } => rule,
            Self::Hidden { what, .. } => what.as_str(),
            Self::Instruction { what } => what.as_str(),
        }
    }
}

impl Hidden {
    /// Returns a short name for programs, `tags` and the like.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Bidi => "bidi",
            Self::ZeroWidth => "zero-width",
            Self::VariationSelectors => "variation-selectors",
            Self::Ignorable => "ignorable",
            Self::Controls => "controls",
        }
    }
}

impl Instruction {
    /// Returns a short name for programs, `override` and the like.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::RoleTurn => "role-turn",
            Self::Sleeper => "sleeper",
            Self::Concealment => "concealment",
            Self::Exfiltration => "exfiltration",
            Self::ToolCall => "tool-call",
            Self::Authority => "authority",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret { rule } => write!(f, "looks like a secret (rule {rule})"),
            Self::Hidden { what, decoded } => {
                what.fmt(f)?;
                // What was hidden may itself hold escapes and controls.
                decoded
                    .as_ref()
                    .map_or(Ok(()), |text| write!(f, " that say \"{}\"", text.escape_debug()))
            }
            Self::Instruction { what } => what.fmt(f),
        }
    }
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tags => "hidden tag characters",
            Self::Bidi => "hidden controls of the writing direction",
            Self::ZeroWidth => "hidden characters without width",
            Self::VariationSelectors => "hidden variation selectors",
            Self::Ignorable => "hidden characters that show as nothing",
            Self::Controls => "hidden control characters, which a terminal obeys",
        })
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Override => "reads like an order to disregard instructions or limits",
            Self::RoleTurn => "reads like a turn of another role",
            Self::Sleeper => "reads like an order for later, on a trigger",
            Self::Concealment => "reads like an order to hide something from the user",
            Self::Exfiltration => {
                "reads like an order to send data away or to run what is elsewhere"
            }
            Self::ToolCall => "reads like a forged tool call",
            Self::Authority => "reads like a claim of authority",
        })
    }
}

impl Finding {
    /// By place, the longer one first, then by kind.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let key = |finding: &Self| (finding.span.start, std::cmp::Reverse(finding.span.end));
        key(self).cmp(&key(other)).then_with(|| self.kind.cmp(&other.kind))
    }
}
