//! [`Network`]: a small neural network that corrects the evaluation by terms.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use shakmaty::{Board, Color, File, Rank, Role, Square};

/// A network with one layer of hidden units for each side's view of the position.
///
/// An input is a piece on a square. In a side's view, its own pieces come first, and its back rank is the
/// first rank. The board is mirrored so that the side's king is on the files e to h. A hidden unit is the sum
/// of its bias and the weights of the pieces on the board, clamped between 0 and 1. The output is the
/// weighted sum of the squares of the hidden units, first of the side to move, then of the other side. The
/// number of pieces selects one of several sets of weights for the output. All numbers are integers, so a
/// network gives the same values on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    pub(super) inputs: Box<[[i16; Network::HIDDEN]; Network::INPUTS]>,
    pub(super) biases: [i16; Network::HIDDEN],
    outputs: Box<[OutputWeights; Network::OUTPUTS]>,
}

/// The weights of the hidden units of the side to move and of the other side, and the bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OutputWeights {
    units: [[i16; Network::HIDDEN]; 2],
    bias: i32,
}

impl Network {
    /// Number of hidden units in each view.
    pub const HIDDEN: usize = 64;
    /// Number of inputs of each view.
    pub const INPUTS: usize = 2 * 6 * 64;
    /// Number of sets of weights for the output.
    pub const OUTPUTS: usize = 8;
    /// The integer that represents 1 in the weights of inputs, the biases and the hidden units.
    pub const UNIT: i32 = 255;
    /// The integer that represents 1 in the weights of hidden units.
    pub const OUTPUT_UNIT: i32 = 64;
    /// The value of an output of 1, in centipawns.
    pub const CENTIPAWNS: i32 = 300;

    /// Makes a network whose numbers are all 0.
    pub fn zero() -> Network {
        let output = OutputWeights { units: [[0; Network::HIDDEN]; 2], bias: 0 };
        Network {
            inputs: Box::new([[0; Network::HIDDEN]; Network::INPUTS]),
            biases: [0; Network::HIDDEN],
            outputs: Box::new([output; Network::OUTPUTS]),
        }
    }

    /// Returns whether a position is evaluated by terms alone. This is true if one side has only its king,
    /// because hardly any training position is of this kind. It is also true for more than 32 pieces, because
    /// the sums of the hidden units have room for 32.
    pub fn leaves_alone(board: &Board) -> bool {
        let is_bare = |color| !board.by_color(color).more_than_one();
        is_bare(Color::White) || is_bare(Color::Black) || board.occupied().count() > 32
    }

    /// Returns the index of the input for a piece on a square, in the view of `color`, whose king is on
    /// `king`.
    #[inline(always)]
    pub fn input(color: Color, king: Square, owner: Color, role: Role, square: Square) -> usize {
        Network::first_input(owner != color, role) + (square as usize ^ Network::flip(color, king))
    }

    /// Returns the index of the first of a role's 64 inputs, for the other side's or the view's own pieces.
    #[inline(always)]
    pub(super) fn first_input(is_other: bool, role: Role) -> usize {
        (6 * usize::from(is_other) + role as usize - 1) * 64
    }

    /// Returns the bits that differ between a square and the same square in the view of `color`, whose king
    /// is on `king`.
    #[inline(always)]
    pub(super) fn flip(color: Color, king: Square) -> usize {
        color.fold_wb(0, 56) ^ if Network::is_mirrored(king) { 7 } else { 0 }
    }

    /// Returns whether a view is mirrored if the king is on `king`.
    #[inline(always)]
    pub(super) fn is_mirrored(king: Square) -> bool {
        king.file() < File::E
    }

    /// Returns the index of the output's set of weights: 0 for up to 4 pieces on the board, 1 for 5 to 8
    /// pieces, and so on.
    #[inline(always)]
    pub fn output(board: &Board) -> usize {
        (board.occupied().count().saturating_sub(1) / 4).min(Network::OUTPUTS - 1)
    }

    /// Computes the value from the sums of the hidden units. The first sums are those of the side to move.
    #[inline(always)]
    pub(super) fn value_of(&self, board: &Board, sums: [&[i16; Network::HIDDEN]; 2]) -> i32 {
        let output = &self.outputs[Network::output(board)];
        let mut total = 0;
        for (sums, weights) in sums.into_iter().zip(&output.units) {
            for (&sum, &weight) in sums.iter().zip(weights) {
                let unit = sum.clamp(0, Network::UNIT as i16);
                // The product fits into 16 bits, which lets the compiler use wide instructions.
                total += i32::from(unit * weight) * i32::from(unit);
            }
        }
        let total = i64::from(total / Network::UNIT + output.bias) * i64::from(Network::CENTIPAWNS);
        (total / i64::from(Network::UNIT * Network::OUTPUT_UNIT)) as i32
    }

    /// Returns the numbers of a row.
    ///
    /// # Panics
    ///
    /// If the row is not one of [`NetworkRow::all`].
    pub fn row(&self, row: NetworkRow) -> Vec<i32> {
        match row {
            NetworkRow::Input(input) => self.inputs[usize::from(input)].map(i32::from).to_vec(),
            NetworkRow::Biases => self.biases.map(i32::from).to_vec(),
            NetworkRow::Output(output) => {
                let OutputWeights { units, bias } = &self.outputs[usize::from(output)];
                units.iter().flatten().map(|&weight| i32::from(weight)).chain([*bias]).collect()
            }
        }
    }

    /// Sets the numbers of a row, in the order of [`Network::row`]. Numbers beyond the limits of the row are
    /// clamped; missing numbers stay as they are.
    ///
    /// # Panics
    ///
    /// If the row is not one of [`NetworkRow::all`].
    pub fn set_row(&mut self, row: NetworkRow, numbers: &[i32]) {
        let limit = row.limit();
        let set = |places: &mut [i16]| {
            for (place, &number) in places.iter_mut().zip(numbers) {
                *place = number.clamp(-limit, limit) as i16;
            }
        };
        match row {
            NetworkRow::Input(input) => set(&mut self.inputs[usize::from(input)]),
            NetworkRow::Biases => set(&mut self.biases),
            NetworkRow::Output(output) => {
                let output = &mut self.outputs[usize::from(output)];
                set(output.units.as_flattened_mut());
                if let Some(&bias) = numbers.get(2 * Network::HIDDEN) {
                    output.bias = bias.clamp(-MOST_OUTPUT_BIAS, MOST_OUTPUT_BIAS);
                }
            }
        }
    }
}

/// Largest absolute value of the bias of an output: 100 pawns.
const MOST_OUTPUT_BIAS: i32 = 10_000 * Network::UNIT * Network::OUTPUT_UNIT / Network::CENTIPAWNS;

/// The numbers of a network in one line of a weights file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NetworkRow {
    /// The weights of one input for the hidden units.
    Input(u16),
    /// The biases of the hidden units.
    Biases,
    /// The weights of the hidden units for one output, and the bias of the output.
    Output(u8),
}

impl NetworkRow {
    /// Lists all rows of inputs that can occur, then the other rows.
    pub fn all() -> impl Iterator<Item = NetworkRow> + Clone {
        let inputs = (0..Network::INPUTS as u16).map(NetworkRow::Input).filter(|row| row.can_occur());
        let outputs = (0..Network::OUTPUTS as u8).map(NetworkRow::Output);
        inputs.chain([NetworkRow::Biases]).chain(outputs)
    }

    /// Returns how many numbers the row has.
    pub fn count(self) -> usize {
        match self {
            NetworkRow::Input(_) | NetworkRow::Biases => Network::HIDDEN,
            NetworkRow::Output(_) => 2 * Network::HIDDEN + 1,
        }
    }

    /// Returns the largest absolute value of the row's numbers, except the bias of an output. With these
    /// limits, the sums of all weights fit into their types.
    pub fn limit(self) -> i32 {
        match self {
            // 32 pieces and the bias: 33 · 990 < 2¹⁵.
            NetworkRow::Input(_) | NetworkRow::Biases => 990,
            // 255 · 127 < 2¹⁵, and 128 · 255 · 255 · 127 < 2³¹.
            NetworkRow::Output(_) => 127,
        }
    }

    /// Returns whether `number` is allowed at the index `place` of the row.
    pub(super) fn is_allowed(self, place: usize, number: i32) -> bool {
        let is_bias = matches!(self, NetworkRow::Output(_)) && place == 2 * Network::HIDDEN;
        let most = if is_bias { MOST_OUTPUT_BIAS } else { self.limit() };
        (-most..=most).contains(&number)
    }

    /// Returns the allowed numbers, in words.
    pub(super) fn allowed(self) -> String {
        match self {
            NetworkRow::Output(_) => {
                format!("within ±{} (the last number: within ±{MOST_OUTPUT_BIAS})", self.limit())
            }
            NetworkRow::Input(_) | NetworkRow::Biases => format!("within ±{}", self.limit()),
        }
    }

    /// Returns whether a row is ever used. A pawn is never on the first or last rank, and a view's own king
    /// is always on the files e to h.
    fn can_occur(self) -> bool {
        let NetworkRow::Input(input) = self else { return true };
        let (is_other, role, square) = place(usize::from(input));
        match role {
            Role::Pawn => !matches!(square.rank(), Rank::First | Rank::Eighth),
            Role::King => is_other || !Network::is_mirrored(square),
            _ => true,
        }
    }
}

/// Inverts [`Network::input`]: returns whether the piece is the other side's, its role and its square in the
/// view.
pub(super) fn place(input: usize) -> (bool, Role, Square) {
    let (group, square) = (input / 64, Square::new(input as u32 % 64));
    (group / 6 == 1, Role::ALL[group % 6], square)
}

impl fmt::Display for NetworkRow {
    /// Formats the row's name, for example `network: own knight e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NetworkRow::Input(input) => {
                let (is_other, role, square) = place(usize::from(input));
                let side = if is_other { "enemy" } else { "own" };
                write!(f, "network: {side} {} {square}", super::terms::role_name(role as usize - 1))
            }
            NetworkRow::Biases => f.write_str("network: biases"),
            NetworkRow::Output(output) => write!(f, "network: output {output}"),
        }
    }
}

/// A text that is not the name of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownRow;

impl FromStr for NetworkRow {
    type Err = UnknownRow;

    /// Parses the output of [`Display`](fmt::Display).
    fn from_str(name: &str) -> Result<NetworkRow, UnknownRow> {
        static NAMES: LazyLock<HashMap<String, NetworkRow>> =
            LazyLock::new(|| NetworkRow::all().map(|row| (row.to_string(), row)).collect());
        NAMES.get(name).copied().ok_or(UnknownRow)
    }
}
