//! The placement of labels next to the dots that they name, so that no label covers another label.

/// A rectangle of pixels. Its right and lower edges belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Frame {
    pub fn meets(self, other: Frame) -> bool {
        self.left <= other.right
            && other.left <= self.right
            && self.top <= other.bottom
            && other.top <= self.bottom
    }

    /// Returns the distance in pixels between two frames: horizontal or vertical, whichever is greater.
    fn apart(self, other: Frame) -> i32 {
        let aside = (self.left - other.right).max(other.left - self.right);
        let above = (self.top - other.bottom).max(other.top - self.bottom);
        aside.max(above).max(0)
    }

    pub fn is_within(self, outer: Frame) -> bool {
        outer.left <= self.left
            && self.right <= outer.right
            && outer.top <= self.top
            && self.bottom <= outer.bottom
    }
}

/// The size of a label, the frame of the dot it names, and the frame of the dot together with its bar.
pub type LabelRequest = ((i32, i32), Frame, Frame);

/// Number of pixels by which a label may be farther from its dot to avoid a bar. [`LINE`] is the number to
/// avoid a line.
const BAR: i32 = 40;
const LINE: i32 = 30;

/// Returns a place for each label within `paper`, near its dot, clear of all dots and of earlier labels. A
/// place clear of all bars and of `lines` is preferred, unless it is much farther away. `None` for a label
/// without room.
pub fn placed(wanted: &[LabelRequest], paper: Frame, lines: &[Frame]) -> Vec<Option<Frame>> {
    let mut taken: Vec<Frame> = wanted.iter().map(|(_, dot, _)| *dot).collect();
    let bars: Vec<Frame> = wanted.iter().map(|(_, _, bar)| *bar).collect();
    let place = |&wanted: &LabelRequest| {
        let (_, dot, _) = wanted;
        let meets = |place: Frame, others: &[Frame]| others.iter().any(|&other| place.meets(other));
        let cost = |place: Frame| {
            let crossing = [(meets(place, &bars), BAR), (meets(place, lines), LINE)];
            place.apart(dot) + crossing.into_iter().filter(|(is, _)| *is).map(|(_, cost)| cost).sum::<i32>()
        };
        let free =
            places(wanted).into_iter().filter(|place| place.is_within(paper) && !meets(*place, &taken));
        // The first of equally good places is taken.
        let found = free.min_by_key(|&place| cost(place));
        taken.extend(found);
        found
    };
    wanted.iter().map(place).collect()
}

const GAP: i32 = 4;

/// Returns the possible places of a label, the best first: next to its dot, also a little higher or lower;
/// then above or below its bar, also a little to the side.
fn places(((width, height), dot, bar): LabelRequest) -> Vec<Frame> {
    let frame = |left, top| Frame { left, top, right: left + width, bottom: top + height };
    let (right, left) = (dot.right + GAP, dot.left - GAP - width);
    let (middle, center) = ((dot.top + dot.bottom - height) / 2, (bar.left + bar.right - width) / 2);
    let mut places = vec![frame(right, middle), frame(left, middle)];
    for aside in [height / 2, height] {
        let rows = [middle - aside, middle + aside];
        places.extend(rows.into_iter().flat_map(|row| [frame(right, row), frame(left, row)]));
    }
    for left in [center, bar.left, bar.right - width] {
        places.extend([frame(left, bar.top - GAP - height), frame(left, bar.bottom + GAP)]);
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAPER: Frame = Frame { left: 0, top: 0, right: 400, bottom: 300 };

    fn dot((x, y): (i32, i32)) -> Frame {
        Frame { left: x - 6, top: y - 6, right: x + 6, bottom: y + 6 }
    }

    #[test]
    fn a_label_stands_to_the_right_where_there_is_room_and_else_to_the_left() {
        let label = |place| ((100, 16), dot(place), dot(place));
        let found = placed(&[label((100, 100)), label((380, 100))], PAPER, &[]);
        assert_eq!(found[0].map(|frame| frame.left), Some(110));
        assert_eq!(found[1].map(|frame| frame.right), Some(370));
        assert_eq!(placed(&[((500, 16), dot((200, 100)), dot((200, 100)))], PAPER, &[]), [None]);
    }

    #[test]
    fn a_label_interrupts_the_bar_of_another_rather_than_stand_far_from_its_dot() {
        let bar = |x: i32, top| Frame { left: x - 6, top, right: x + 6, bottom: 250 };
        let found = |top| {
            // The other dots are far enough away.
            let others = [40, 160].map(|x| ((90, 16), dot((x, 280)), bar(x, top)));
            let wanted = [&[((90, 16), dot((100, 150)), bar(100, top))], &others[..]].concat();
            placed(&wanted, PAPER, &[])[0].expect("room")
        };
        assert_eq!((found(50).left, found(50).top), (110, 142), "beside its dot");
        assert_eq!(found(130).bottom, 126, "above its bar, which is near");
    }

    proptest! {
        #[test]
        fn no_label_covers_a_dot_or_another(places in prop::collection::vec((10..390, 10..290), 0..40)) {
            let dots: Vec<Frame> = places.into_iter().map(dot).collect();
            let wanted: Vec<LabelRequest> = dots.iter().map(|&dot| ((60, 16), dot, dot)).collect();
            let labels: Vec<Frame> = placed(&wanted, PAPER, &[]).into_iter().flatten().collect();
            for (index, label) in labels.iter().enumerate() {
                prop_assert!(label.is_within(PAPER));
                prop_assert!(!dots.iter().chain(&labels[..index]).any(|other| label.meets(*other)));
            }
        }
    }
}
