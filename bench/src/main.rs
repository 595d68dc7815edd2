//! Runs the jobs and prints one table.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    memdir_bench::run::run(std::env::args_os().skip(1).collect())
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    use std::io::Write as _;
    let shown = writeln!(std::io::stderr(), "the references speak to the Linux kernel only");
    if shown.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
