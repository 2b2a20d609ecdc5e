//! [`Findings`]: all results that a report shows about evaluated games, measured in one place.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "program")]
use super::quality::{Screening, ScreeningRefusal, screened};
use super::{
    calibration::CalibratedGames, peers::PeerGames, peers::standings, profile::PlayGrouping,
    profile::Profile, profile::owner, quality::QualityOfPlay, quality::RankedFrom, tournament::Analysis,
    tournament::Method, tournament::MoveSample, tournament::filter::Split,
};
use crate::chess::EvaluatedGame;

/// The choices on which findings depend.
#[derive(Debug, Clone, Default)]
pub struct FindingsDesign {
    pub method: Method,
    /// Ratings that replace the ratings in the games' tags.
    pub elo: BTreeMap<String, f64>,
    pub splits: BTreeSet<Split>,
    pub ranked_from: RankedFrom,
    /// True if the players are screened.
    #[cfg(feature = "program")]
    pub screens: bool,
}

/// All results that a report shows about evaluated games.
pub struct Findings {
    /// The facts of each move and player.
    pub sample: MoveSample,
    /// The tables of the tournament.
    pub analysis: Analysis,
    /// The players, ranked by the quality of their play.
    pub quality: QualityOfPlay,
    /// The profile, if the games are a collection of one player.
    pub own: Option<Profile>,
    /// The players, screened for play above their ratings; `None` unless wanted.
    #[cfg(feature = "program")]
    pub screening: Option<Result<Screening, ScreeningRefusal>>,
}

impl Findings {
    /// Measures the play in `games`. `rated` has the games with a calibration, or the reason, in words, why
    /// there are no ratings of play (`None` if the user wants none). Also returns the kinds of the
    /// evaluations if no game could be compared with the games of peers.
    pub fn of(
        games: &[EvaluatedGame],
        rated: Result<CalibratedGames<'_>, Option<String>>,
        peers: Option<PeerGames<'_>>,
        design: &FindingsDesign,
    ) -> (Findings, BTreeSet<String>) {
        let FindingsDesign { method, elo, splits, ranked_from, .. } = design;
        let sample = MoveSample::of(games);
        let analysis = Analysis::of(&sample, elo, method, &Vec::from_iter(splits.iter().copied()));
        let calibrated = rated.as_ref().ok().copied();
        let mut quality = QualityOfPlay::of((&sample, games), rated, elo, method, *ranked_from);
        let (mut peers, uncompared) = standings(games, calibrated, peers);
        quality.rows.iter_mut().for_each(|row| row.peers = peers.remove(&row.player));
        let profile = |player| Profile::of(games, player, calibrated, &PlayGrouping::USUAL, method);
        let own = owner(games, &sample).map(profile);
        #[cfg(feature = "program")]
        let screening = design
            .screens
            .then(|| calibrated.map_or(Err(ScreeningRefusal::NotMeasured), |rated| screened(rated, elo)));
        let findings = Findings {
            sample,
            analysis,
            quality,
            own,
            #[cfg(feature = "program")]
            screening,
        };
        (findings, uncompared)
    }

    /// Measures the play of `player` by these `groupings`. Also returns the kinds of the
    /// evaluations, like [`Findings::of`].
    #[cfg(feature = "program")]
    pub fn of_player(
        (games, player): (&[EvaluatedGame], &str),
        rated: Option<CalibratedGames<'_>>,
        peers: Option<PeerGames<'_>>,
        groupings: &[PlayGrouping],
        method: &Method,
    ) -> (Profile, BTreeSet<String>) {
        let (mut peers, uncompared) = standings(games, rated, peers);
        let profile = Profile::of(games, player, rated, groupings, method);
        (Profile { peers: peers.remove(player), ..profile }, uncompared)
    }
}
