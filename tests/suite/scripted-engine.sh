#!/bin/sh
# A UCI engine for tests. Its scores depend only on the length of the position command, and on the factor
# SCRIPT_FACTOR. SCRIPT names its fault. SCRIPT_FILE is a file for faults that leave a mark, such as a stall or
# a crash that happens once. SCRIPT_NAME is the name of the engine.
#
#   crash-once      exits in its first search, if SCRIPT_FILE does not exist yet
#   crash-on=TEXT   exits in the search of a position whose command contains TEXT
#   crash           exits in every search
#   stall           is silent from its first search on, and creates SCRIPT_FILE
#   babble          prints lines without end in its first search, none of them about the search
#   drift           prints one line about its search, and then other lines without end
#   repeat          prints the same line about its search without end
#   no-score        ends its searches without a score
#   illegal         plays an illegal move
#   noise           prints bytes that are not text among its lines
#   not-uci         prints a greeting, but never uciok
#   gone            exits as soon as it starts
#   deepen          prints the best move of every iteration: e2e4, d2d4, e2e4, g1f3, e2e4, then always d2d4
#   slow            searches for 0.2 s
#   endless         prints lines about one depth without end, and ignores commands and signals
#   child           starts a child, writes its process id to SCRIPT_FILE, and ignores signals and the end of its input
#   flood           lists options without end
#   shallow         searches only to depth 1
#   huge            prints an impossibly high score
#   no-depth        prints a negative depth
#   mute            exits in a search, and prints only a question mark as the reason
#
# A score of its own has the position in which the program checks the scores of engines: SCRIPT_QUEEN, by default
# cp 900. No fault happens there.
#
# Without CHOOSES it names no move. With CHOOSES it plays e2e4 first, then the fool's mate if possible, else
# a2a3 or a7a6. That is meant for games from the usual start position in which these moves are legal.
# With GAME, the moves of a whole game, it plays this game, for either side.

say() { printf '%s\n' "$1"; }
fault=${SCRIPT%%=*}
[ "$fault" = gone ] && { echo "cannot load my weights" >&2; exit 7; }

# Prints the next move of GAME, if the moves played are its beginning.
next_of_game() {
    case "$position" in
        *" moves "*) played=${position##* moves } ;;
        *) played= ;;
    esac
    case "$GAME" in
        "$played"*) set -- ${GAME#"$played"} ;;
        *) set -- ;;
    esac
    say "${1:-(none)}"
}

choice() {
    [ -n "$GAME" ] && { next_of_game; return; }
    [ -z "$CHOOSES" ] && { say "(none)"; return; }
    case "$position" in
        "position startpos") say e2e4; return ;;
        *" f2f3 e7e5 g2g4") say d8h4; return ;;
    esac
    # The first three words are "position startpos moves".
    set -- $position
    if [ $(( $# % 2 )) = 1 ]; then say a2a3; else say a7a6; fi
}

search() {
    case "$position" in
        *" fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b "*)
            say "info depth 1 score ${SCRIPT_QUEEN:-cp 900} nodes 1"
            say "bestmove (none)"
            return ;;
    esac
    case "$fault" in
        crash) say "info string my network is gone"; say "info string I leave"; exit 9 ;;
        crash-once) [ -e "$SCRIPT_FILE" ] || { : > "$SCRIPT_FILE"; exit 9; } ;;
        crash-on) case "$position" in *"${SCRIPT#*=}"*) exit 9 ;; esac ;;
        stall) : > "$SCRIPT_FILE"; exec sleep 60 ;;
        babble) while :; do say "info string thinking about something else"; say "hm"; done ;;
        drift) say "info depth 1 score cp 5 nodes 9"; while :; do say "info string where was I"; done ;;
        repeat) while :; do say "info depth 1 score cp 0 nodes 1"; done ;;
        slow) sleep 0.2 ;;
        endless) trap '' INT TERM; n=0; while :; do n=$((n + 1)); say "info depth 1 score cp 5 nodes $n"; done ;;
        child) sleep 300 & echo "$!" > "$SCRIPT_FILE"; trap '' INT TERM PIPE; while :; do sleep 1; done ;;
        mute) echo "?" >&2; exit 9 ;;
        deepen)
            limit=${go##*depth }
            for depth in 1 2 3 4 5 6 7 8; do
                [ "$depth" -gt "$limit" ] && break
                case "$depth" in 1 | 3 | 5) best=e2e4 ;; 4) best=g1f3 ;; *) best=d2d4 ;; esac
                say "info depth $depth score cp 9 upperbound nodes 2 pv a2a4"
                say "info depth $depth multipv 1 score cp 1$depth nodes $depth pv $best"
                say "info depth $depth multipv 2 score cp 0 nodes $depth pv h2h4"
            done
            # The result has no move, like that of an engine that names none.
            say "info depth $limit score cp 9 nodes 9"
            say "bestmove (none)"
            return ;;
        noise) printf '\377\376 noise \200\n' ;;
    esac
    case "$go" in *depth*) depth=${go##*depth }; depth=${depth%% *} ;; *) depth=4 ;; esac
    score=$(( (${#position} * ${SCRIPT_FACTOR:-7}) % 61 - 30 ))
    case "$fault" in shallow) depth=1 ;; huge) score=2147483647 ;; no-depth) depth=-5 ;; esac
    [ "$fault" = no-score ] || {
        say "info depth 1 seldepth 1 multipv 1 score cp 999 lowerbound nodes 1 time 1 pv a1a1"
        if [ "$fault" = noise ]; then
            printf 'info depth %s \377 score cp %s nodes 40 time 1\n' "$depth" "$score"
        else
            say "info depth $depth seldepth 6 multipv 1 score cp $score wdl 10 980 10 nodes 40 time 1"
        fi
        say "info depth $depth multipv 2 score cp -500 nodes 41"
    }
    if [ "$fault" = illegal ]; then say "bestmove a1h8"; else say "bestmove $(choice)"; fi
}

while read -r line; do
    case "$line" in
        uci)
            say "Scripted Engine for tests"
            [ "$fault" = not-uci ] && continue
            say "id name ${SCRIPT_NAME:-Scripted 1.0}"
            [ "$fault" = flood ] && while :; do say "option name More type string default x"; done
            say "option name Hash type spin default 16 min 1 max 128"
            say "option name Threads type spin default 1 min 1 max 4"
            say "option name Style type combo default Solid var Solid var Risky"
            say "option name UCI_Chess960 type check default false"
            say "uciok" ;;
        isready) say "readyok" ;;
        position*) position=$line ;;
        go*) go=$line; search ;;
        quit) exit 0 ;;
    esac
done
