mod blocks;
mod cases;
mod values;
