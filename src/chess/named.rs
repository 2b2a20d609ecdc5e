//! Owns how the values of a closed list are made, written and read: each by its name; and [`as_text`], for what files have in words.

/// Makes an enum of rows `Variant => "name"`, with the list of all, the name by `$name`, and that as its text.
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
            /// All of them, in their order.
            pub const ALL: [$type; [$($text),*].len()] = [$($type::$variant),*];

            /// Returns its name.
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

/// Implements reading by the name that `$name` returns of each of `ALL`, with the conversions that serde goes by.
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

/// Values that stand in files in their words.
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
