#!/bin/sh
# A UCI engine for tests: its scores follow from the length of the position command alone, and it
# misbehaves in the way that SCRIPT names. SCRIPT_FILE is for faults that happen once, and shows a stall.
# SCRIPT_NAME is what it calls itself, and SCRIPT_FACTOR makes its scores others.
#
#   crash-once      exits in its first search, if SCRIPT_FILE does not exist yet
#   crash-on=TEXT   exits when it is to search a position whose command has TEXT in it
#   crash           exits in every search
#   stall           says nothing more once it searches
#   babble          talks without end, but not of its search, once it searches
#   drift           tells something of its search once, and then talks of something else without end
#   repeat          says the same of its search without end
#   no-score        ends its searches without a score
#   illegal         plays a move that the position does not have
#   noise           puts bytes around its lines that are no text
#   not-uci         greets, and never says uciok
#   gone            exits at once
#   deepen          tells a best move of every iteration: e2e4, d2d4, e2e4, g1f3, e2e4, then always d2d4
#   slow            takes a moment over every search
#   endless         tells ever more of one depth, without end, whatever it is told
#   child           has a child that outlives it, whose number is in SCRIPT_FILE, and does not hear that its input ends
#   flood           lists options without end
#   shallow         searches to one ply alone
#   huge            tells a score that no position has
#   no-depth        tells a depth below zero
#   mute            prints a sign without a word where it should say why it leaves
#
# It names no move, unless CHOOSES is set. Then it wants e2e4 at first, the fool's mate where there is
# one, and else to advance a rook's pawn, in games from the usual start in which that is legal.
# With GAME, the moves of a whole game, it plays that one, for whichever side it is asked.

say() { printf '%s\n' "$1"; }
fault=${SCRIPT%%=*}
[ "$fault" = gone ] && { echo "cannot load my weights" >&2; exit 7; }

# The move of GAME behind those played, where these are how it begins.
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
    # "position startpos moves" are three words.
    set -- $position
    if [ $(( $# % 2 )) = 1 ]; then say a2a3; else say a7a6; fi
}

search() {
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
            # Without a move, as an engine that names none.
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
