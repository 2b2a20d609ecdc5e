//! Owns how the values of a closed list are read: each by its name.

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
