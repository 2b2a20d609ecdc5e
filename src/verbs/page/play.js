// A game against an opponent who moves like people of a rating. The browser keeps it until the next one.
"use strict";

(() => {
  const { MoveBoard, arrow, element, numbered, pgn } = boards;
  const byId = (id) => document.getElementById(id);
  const ask = engines.asker("core");
  const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const KEPT = "gainalyze-game";
  const PERSON = "Guest";
  // The opponent moves at once. A pause shows what moved.
  const PAUSE = 300;

  // The game: the level, the person's side, the moves in UCI, in SAN and as the FEN after them, and its end in words and result.
  let game;
  let flipped = false;
  // The message of a failed engine.
  let failure = "";

  const isPersons = () => (game.moves.length % 2 === 0) === (game.side === "white");
  const asked = (task, of, more) => ask({ task, start: START, moves: of.moves.map(([uci]) => uci), ...more });
  const look = (of) => asked("look", of, { nodes: 0, lines: 1 });

  const keep = () => {
    try {
      // Another tab may have begun a later game.
      if (JSON.parse(localStorage.getItem(KEPT))?.begun > game.begun) return;
      localStorage.setItem(KEPT, JSON.stringify(game));
    } catch {
      // Without storage, the game lasts as long as the page.
    }
  };

  const resigned = (side) => ["resignation", side === "white" ? "0-1" : "1-0"];

  /** Returns the kept game, if the browser has one whose moves are legal. */
  const kept = async () => {
    try {
      const { level, side, begun, moves, end } = JSON.parse(localStorage.getItem(KEPT));
      const levels = [...byId("level").options].map((option) => Number(option.value));
      if (!levels.includes(level) || !["white", "black"].includes(side) || new Date(begun).toISOString() !== begun) return undefined;
      const found = { level, side, begun, moves };
      const place = await look(found);
      // If the engine failed, the game may be good.
      if (place.error && !place.error.startsWith("the move ")) return found;
      if (place.fen !== (moves.at(-1)?.[2] ?? START)) return undefined;
      return { ...found, end: place.end ?? (end?.[0] === resigned(side)[0] ? resigned(side) : undefined) };
    } catch {
      return undefined;
    }
  };

  const board = new MoveBoard((move) => play(move));
  const says = element("p", { class: "now", role: "status", tabindex: "-1" });
  const list = element("p", { class: "played-moves", tabindex: "0", role: "group", "aria-label": "Moves" });
  const button = (text, press) => {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", press);
    return made;
  };
  const text = () => {
    const date = new Date(game.begun).toISOString().slice(0, 10).replaceAll("-", ".");
    const names = [PERSON, `gainalyze (level ${game.level})`];
    const types = ["human", "program"];
    if (game.side === "black") [names, types].forEach((pair) => pair.reverse());
    const result = game.end?.[1] ?? "*";
    const tags = { Event: "Game against gainalyze", Site: "?", Date: date, Round: "-", White: names[0], Black: names[1], Result: result, WhiteType: types[0], BlackType: types[1] };
    return pgn(Object.entries(tags), game.moves.map(([, san]) => san), 2, result);
  };
  const back = button("Take back", () => {
    game.moves.splice(-2);
    turn();
    says.focus();
  });
  const resign = button("Resign", () => finish(resigned(game.side)));
  const again = button("Try again", () => {
    turn();
    says.focus();
  });
  const flip = button("Flip board", () => {
    flipped = !flipped;
    draw(board.legal);
  });
  const analyze = button("Analyze this game", () =>
    document.dispatchEvent(new CustomEvent("analyze", { detail: { name: `game of ${game.begun.slice(0, 10)}`, text: text() } })),
  );
  byId("game").append(
    element("div", {}, says, element("div", { class: "judged" }, board.place), board.form, element("div", { class: "steps" }, again, back, flip, resign, analyze)),
    list,
  );

  const outcome = () => {
    if (game.end[1] === "1/2-1/2") return "Drawn";
    return (game.end[1] === "1-0") === (game.side === "white") ? "You win" : "You lose";
  };

  /** Shows the game. `legal` has the moves that the person may play now. */
  const draw = (legal) => {
    const last = game.moves.at(-1);
    const isFlipped = flipped !== (game.side === "black");
    const told = last ? numbered([last[1]], game.moves.length + 1) : "The game begins";
    const next = failure || (isPersons() ? "your move" : "your opponent thinks");
    says.textContent = game.end ? `${outcome()}: ${game.end.join(", ")}` : `${told}: ${next}`;
    board.show({ fen: last?.[2] ?? START, legal, arrows: last ? arrow(last[0], "played", isFlipped) : [], title: last ? `Position after ${told}` : "First position", flipped: isFlipped });
    list.textContent = numbered(game.moves.map(([, san]) => san), 2);
    list.scrollTop = list.scrollHeight;
    const isOver = Boolean(game.end);
    board.form.hidden = resign.hidden = back.hidden = isOver;
    back.disabled = !isPersons() || game.moves.length < 2;
    analyze.hidden = !isOver || game.moves.length === 0;
    again.hidden = isOver || !failure;
    byId("new-game").disabled = !isOver;
    byId("game").hidden = false;
  };

  const finish = (end) => {
    game.end = end;
    keep();
    draw([]);
    // The buttons that are now hidden may have had the focus.
    const active = document.activeElement;
    if ([document.body, resign].includes(active) || board.form.contains(active)) (analyze.hidden ? byId("new-game") : analyze).focus();
  };

  const play = (move) => {
    game.moves.push(move);
    turn();
  };

  /** Lets the side to move play: shows the person's moves, or asks for the opponent's move. */
  const turn = async () => {
    failure = "";
    keep();
    draw(undefined);
    const [of, count] = [game, game.moves.length];
    const isGone = () => of !== game || count !== game.moves.length || game.end;
    const found = await look(of);
    if (isGone()) return undefined;
    if (found.error) return fail(found.error);
    if (found.end) return finish(found.end);
    if (isPersons()) return draw(found.legal);
    const [reply] = await Promise.all([
      asked("reply", of, { level: game.level, share: Math.random() }),
      new Promise((resolve) => setTimeout(resolve, PAUSE)),
    ]);
    if (isGone()) return undefined;
    return reply.error ? fail(reply.error) : play(found.legal.find(([uci]) => uci === reply.uci));
  };

  const fail = (error) => {
    failure = error;
    draw(undefined);
  };

  byId("new-game").addEventListener("click", () => {
    const chosen = byId("side").value;
    const side = chosen || (Math.random() < 0.5 ? "white" : "black");
    game = { level: Number(byId("level").value), side, begun: new Date().toISOString(), moves: [] };
    flipped = false;
    turn();
    says.focus();
  });
  kept().then((found) => {
    byId("new-game").disabled = false;
    if (!found) return;
    game = found;
    byId("level").value = game.level;
    byId("side").value = game.side;
    byId("play").open = !game.end;
    if (game.end) draw([]);
    else turn();
  });
})();
