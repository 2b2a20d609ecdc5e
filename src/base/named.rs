//! Macros that define enums with a name for each variant, print the names and parse them; and [`as_text`],
//! which serializes values by their text.

/// Defines an enum from rows `Variant => "name"`. The enum has a list `ALL` of its variants, a method `$name`
/// that returns the name, and `Display`.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident: $name:ident { $($(#[$note:meta])* $variant:ident => $text:literal,)* }
    ) => {
        $(#[$meta])*
        $vis enum $type {
            $($(#[$note])* $variant,)*
        }

        impl $type {
            /// All variants, in the order of their definition.
            pub const ALL: [$type; [$($text),*].len()] = [$($type::$variant),*];

            /// Returns the name.
            pub const fn $name(self) -> &'static str {
                match self {
                    $($type::$variant => $text,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.$name())
            }
        }
    };
}
pub(crate) use named;

/// Implements `FromStr` for the names that the method `$name` returns, and the conversions that serde uses.
macro_rules! read_by_name {
    ($type:ident, $name:ident, $unknown:ident) => {
        impl From<$type> for &'static str {
            fn from(value: $type) -> &'static str {
                value.$name()
            }
        }

        impl std::str::FromStr for $type {
            type Err = $unknown;

            fn from_str(name: &str) -> Result<$type, $unknown> {
                let found = $type::ALL.into_iter().find(|value| value.$name() == name);
                found.ok_or_else(|| $unknown(name.to_owned()))
            }
        }

        impl TryFrom<String> for $type {
            type Error = $unknown;

            fn try_from(name: String) -> Result<$type, $unknown> {
                name.parse()
            }
        }
    };
}
pub(crate) use read_by_name;

/// Serializes values as the text of `Display`, and parses them by `FromStr`.
pub(crate) mod as_text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
