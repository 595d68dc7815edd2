//! Columns that line up for any script, the last one cut to the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use memdir::core::text::escape_control;

use super::{Out, Style};

/// How a column's cells are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of cells; each cell is escaped when it is added.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    columns: [(Align, Style); N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(columns: [(Align, Style); N]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(|cell| escape_control(cell).into_owned()));
    }

    /// Prints the rows two spaces apart. Columns that are empty throughout are left out. On a terminal the last column gets
    /// lines of its own where too little room is left for it, and is shortened with `…` to what is there.
    pub(crate) fn print(&self, out: &mut Out) {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let used = widths
            .iter()
            .rev()
            .skip(1)
            .filter(|width| **width > 0)
            .map(|width| width + GAP.len())
            .sum();
        let last = Last::of(out.columns(), used, widths.last().copied().unwrap_or_default());
        for row in &self.rows {
            let mut line = String::new();
            let mut below = None;
            for (number, ((cell, width), (align, style))) in
                row.iter().zip(widths).zip(self.columns).enumerate()
            {
                if width == 0 {
                    continue;
                }
                let is_last = number + 1 == N;
                let cell = match last {
                    Last::Beside(Some(room)) if is_last => shorten(cell, room),
                    Last::Below(room) if is_last => {
                        below = Some(out.paint(style, &shorten(cell, room)));
                        continue;
                    }
                    Last::Beside(_) | Last::Below(_) => cell.clone(),
                };
                let padding = " ".repeat(width.saturating_sub(cell.width()));
                let painted = out.paint(style, &cell);
                line.push_str(if line.is_empty() { "" } else { GAP });
                match align {
                    Align::Right => line.extend([padding, painted]),
                    Align::Left => line.extend([painted, padding]),
                }
            }
            out.line(line.trim_end());
            if let Some(below) = below.filter(|below| !below.is_empty()) {
                out.line(&format!("{INDENT}{below}"));
            }
        }
    }
}

/// Between two columns.
const GAP: &str = "  ";

/// Before a last column that stands on lines of its own.
const INDENT: &str = "    ";

/// Columns from which the last one stands beside the others. Ours: some five words.
const ENOUGH: usize = 32;

/// Where the last column stands, and how much room it has.
#[derive(Clone, Copy)]
enum Last {
    Beside(Option<usize>),
    Below(usize),
}

impl Last {
    fn of(columns: Option<usize>, used: usize, width: usize) -> Self {
        let Some(columns) = columns else { return Self::Beside(None) };
        match columns.saturating_sub(used) {
            room if room >= width.min(ENOUGH) => Self::Beside(Some(room)),
            _ => Self::Below(columns.saturating_sub(INDENT.len())),
        }
    }
}

/// At most `room` columns of `text`, ending in `…` if anything is missing.
fn shorten(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{Align, Out, Style, Table, shorten};
    use crate::env::Terminal;
    use crate::output::Form;

    fn check(columns: Option<usize>, expect: &str) {
        let mut out = Out::new(Form::Text, Terminal { columns, ..Terminal::default() });
        let plain = |align| (align, Style::Plain);
        let mut table = Table::new([
            plain(Align::Right),
            plain(Align::Left),
            plain(Align::Left),
            plain(Align::Left),
        ]);
        table.row(["1", "记忆", "", "words that say what it is about, and more"]);
        table.row(["10", "abc", "", "short"]);
        table.row(["11", "\u{1b}", "", ""]);
        table.print(&mut out);
        assert_eq!(String::from_utf8(out.stdout.clone()).unwrap(), expect);
    }

    #[test]
    fn columns_line_up_and_empty_ones_are_left_out() {
        check(
            None,
            " 1  记忆    words that say what it is about, and more\n10  abc     short\n11  \\u{1b}\n",
        );
    }

    #[test]
    fn the_last_column_is_shortened_beside_the_others_or_stands_below_them() {
        check(
            Some(46),
            " 1  记忆    words that say what it is about, …\n10  abc     short\n11  \\u{1b}\n",
        );
        check(
            Some(30),
            " 1  记忆\n    words that say what it is…\n10  abc\n    short\n11  \\u{1b}\n",
        );
    }

    #[test]
    fn shortens_by_columns_not_characters() {
        assert_eq!(shorten("记忆记忆", 8), "记忆记忆");
        assert_eq!(shorten("记忆记忆", 6), "记忆…");
        assert_eq!(shorten("abc", 2), "a…");
    }
}
