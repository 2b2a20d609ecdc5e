//! [`Screen`]: the output device of tables, with its width, form and colors.

use console::Style;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Screen {
    /// Width of the terminal in characters; `None` if there is no limit.
    pub columns: Option<u16>,
    pub colors: bool,
    pub form: TableForm,
}

/// Layout of tables as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum TableForm {
    /// Aligned columns, for terminals.
    #[default]
    #[cfg_attr(feature = "program", value(skip))]
    Columns,
    /// Markdown tables, for issues, forums and notebooks; titles and notes are paragraphs.
    Markdown,
}

impl Screen {
    pub fn of_columns(columns: u16) -> Screen {
        Screen { columns: Some(columns), ..Screen::default() }
    }

    pub fn markdown() -> Screen {
        Screen { form: TableForm::Markdown, ..Screen::default() }
    }

    pub fn bold(self, text: &str) -> String {
        if self.form == TableForm::Markdown && !text.is_empty() {
            return format!("**{}**", markdown(text));
        }
        self.each_line(text, &Style::new().bold())
    }

    pub fn dim(self, text: &str) -> String {
        self.each_line(text, &Style::new().dim())
    }

    /// Returns the table with starred numbers in green.
    pub fn marked(self, table: &str) -> String {
        if !self.colors {
            return table.to_owned();
        }
        let is_marked =
            |word: &str| word.strip_suffix('*').is_some_and(|number| number.parse::<f64>().is_ok());
        let green = Style::new().green().force_styling(true);
        let word =
            |word: &str| if is_marked(word) { green.apply_to(word).to_string() } else { word.to_owned() };
        let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
        table.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// Styles a text line by line, because some pagers forget a style at the end of a line.
    fn each_line(self, text: &str, style: &Style) -> String {
        if !self.colors {
            return text.to_owned();
        }
        let style = style.clone().force_styling(true);
        text.split('\n').map(|line| style.apply_to(line).to_string()).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the text on one line, with the special characters of Markdown escaped.
pub fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => safe.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' => safe.extend(['\\', letter]),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: Screen = Screen { columns: None, colors: true, form: TableForm::Columns };

    #[test]
    fn without_colors_every_text_stays_as_it_is() {
        let screen = Screen::of_columns(80);
        for text in ["Table 5", "a\nb  51.2*", ""] {
            assert_eq!([screen.bold(text), screen.dim(text), screen.marked(text)], [text, text, text]);
        }
    }

    #[test]
    fn each_line_has_a_style_of_its_own() {
        assert_eq!(COLORS.bold("a\nb"), "\u{1b}[1ma\u{1b}[0m\n\u{1b}[1mb\u{1b}[0m");
        assert_eq!(COLORS.dim("a"), "\u{1b}[2ma\u{1b}[0m");
    }

    #[test]
    fn only_numbers_with_a_star_are_colored() {
        let table = "Player*  51.2*  48.8\nA * 5";
        assert_eq!(COLORS.marked(table), "Player*  \u{1b}[32m51.2*\u{1b}[0m  48.8\nA * 5");
    }
}
