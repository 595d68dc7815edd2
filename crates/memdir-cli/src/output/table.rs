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

    /// Prints the rows two spaces apart. Columns that are empty throughout are left out; the last is shortened with `…`
    /// where the terminal is too narrow.
    pub(crate) fn print(&self, out: &mut Out) {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let columns = out.columns();
        for row in &self.rows {
            let mut line = String::new();
            let mut used = 0;
            let last = widths.iter().rposition(|width| *width > 0);
            for (number, ((cell, width), (align, style))) in
                row.iter().zip(widths).zip(self.columns).enumerate()
            {
                if width == 0 {
                    continue;
                }
                if used > 0 {
                    line.push_str("  ");
                    used += 2;
                }
                let room = columns.map(|columns| columns.saturating_sub(used));
                let cell = match room {
                    Some(room) if Some(number) == last => shorten(cell, room),
                    Some(_) | None => cell.clone(),
                };
                let padding = " ".repeat(width.saturating_sub(cell.width()));
                used += width;
                let painted = out.paint(style, &cell);
                match align {
                    Align::Right => line.extend([padding, painted]),
                    Align::Left => line.extend([painted, padding]),
                }
            }
            out.line(line.trim_end());
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
    use super::shorten;

    #[test]
    fn shortens_by_columns_not_characters() {
        assert_eq!(shorten("记忆记忆", 8), "记忆记忆");
        assert_eq!(shorten("记忆记忆", 6), "记忆…");
        assert_eq!(shorten("abc", 2), "a…");
    }
}
