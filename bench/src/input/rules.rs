//! Rules with path scopes, and the files that are touched in a session.

/// The patterns of each rule, of the forms that people write and that any matcher of globs reads alike.
///
/// A third of them name folders, a third kinds of files anywhere, and the others single files.
pub fn patterns(rules: u32) -> Vec<Vec<String>> {
    (0..rules)
        .map(|rule| {
            let (area, part) = (rule % 23, rule % 31);
            match rule % 6 {
                0 => vec![format!("area{area}/**/part{part}/**/*.{{ts,tsx}}")],
                1 => {
                    vec![format!("area{area}/part{part}/*.rs"), format!("area{area}/**/*_test.rs")]
                }
                2 => vec![format!("**/*.kind{part}.ts"), "**/*.graphql".to_owned()],
                3 => vec![format!("**/module{rule}.rs")],
                4 => vec![format!("area{area}/part{part}/module{rule}.{{ts,rs,py}}")],
                _ => vec![format!("**/part{part}/**/*.py"), format!("docs/chapter{rule}.md")],
            }
        })
        .collect()
}

/// Paths relative to the project, four to eight in a folder.
pub fn touched(files: u32) -> Vec<String> {
    const ENDINGS: [&str; 5] = ["rs", "ts", "py", "md", "tsx"];
    let endings = ENDINGS.iter().cycle();
    (0..files)
        .zip(endings)
        .map(|(file, ending)| {
            let (area, part, deep) = (file / 6 % 23, file / 6 % 31, file / 12 % 4);
            match file % 4 {
                0 => format!("area{area}/part{part}/module{file}.{ending}"),
                1 => format!("area{area}/layer{deep}/part{part}/view{file}.{ending}"),
                2 => format!("area{area}/layer{deep}/part{part}/inner/view{file}.kind{part}.ts"),
                _ => format!("area{area}/part{part}/module{file}_test.rs"),
            }
        })
        .collect()
}
