mod blocks;
mod cases;
mod edits;
mod properties;
mod rendered;
mod values;
