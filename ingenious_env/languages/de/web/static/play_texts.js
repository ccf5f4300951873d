// Die Wörter neben einem Spiel: eine Anleitung, Tipps, die Analyse, und was zu Zügen und zum Ende gesagt wird.

/** @type {typeof import("../../../../web/static/play_texts.js").TEXTS} */
export const TEXTS = {
  guide: {
    tile: (tile) => `Nimm den umrandeten Stein, ${tile}: Der ist jetzt gut.`,
    place: (points) =>
      `Hier bringt er die meisten Punkte. Auf dem Knopf steht, wie viele: ${points}. ` +
      "Drücke ihn, oder lege den Stein woandershin.",
    placed: "Das ist ein Zug. Die Zahlen neben dem Spielplan zeigen, was er gebracht hat. Jetzt sind die anderen dran.",
    own: "Du bist wieder am Zug: Wähle selbst. Der Knopf „Regeln“ zeigt die Regeln, „Tipps“ die besten Züge.",
    show: "Zeig mir, wo",
    done: "Verstanden",
    skip: "Überspringen",
  },
  review: {
    retry: (isAll) => `${isAll ? "Die" : "Meine"} Fehler noch einmal versuchen`,
    ask: (number, count, move, name) =>
      `Fehler ${number} von ${count}: ${name ? `${name} hat` : "Du hast"} ${move} gespielt. Finde einen besseren Zug.`,
    best: (move) => `${move}: der beste Zug.`,
    better: (move, loss) => `${move}: besser, verliert ${loss}.`,
    same: (move, loss) => `${move} verliert ${loss}, nicht weniger als vorher. Versuche es noch einmal.`,
    solution: (move) => `Der beste Zug ist ${move}; er liegt auf dem Spielplan.`,
    show: "Zeigen",
    next: "Weiter",
    back: "Zurück zum Spiel",
    lost: "Verlust je Zug",
    level: "Stufe",
    luck: "Glück",
    lucky: {
      good: (amount) => `Du hattest Glück: ${amount}.`,
      bad: (amount) => `Du hattest Pech: ${amount}.`,
      even: "Du hattest weder Glück noch Pech.",
    },
    luckyPair: {
      good: (amount) => `Ihr hattet Glück: ${amount}.`,
      bad: (amount) => `Ihr hattet Pech: ${amount}.`,
      even: "Ihr hattet weder Glück noch Pech.",
    },
    luckOfWin: (percent) => `${percent} % eines Sieges`,
    title: "Analyse",
    judge: (name) => `von ${name}`,
    mistake: "Nächster Fehler",
    spaces: (name) => `${name ? `${name}: ` : "deine "}erwartete niedrigste Farbe`,
    win: (name) => `${name ? `${name}: ` : "deine "}Gewinnchance`,
    value: (name) => `${name ? `${name}: ` : "deine "}Bewertung, nicht geeicht`,
    you: "Du",
    remark: (move, best) => `${move}; besser war ${best}`,
  },
  hints: {
    title: "Tipps",
    agent: "Wer die Tipps gibt",
    compiling: "Es muss erst kompiliert werden …",
    thinking: "denkt nach …",
    over: "Das Spiel ist zu Ende.",
    played: "gespielt",
    turn: (name) => (name ? `${name} ist am Zug` : "du bist am Zug"),
    later: "Tipps kommen, wenn du am Zug bist.",
    units: {
      win: "Gewinnchance",
      points: "Punkte",
      spaces: "Felder",
      utility: "Nutzen",
      preference: "Vorliebe",
      choice: "würde gespielt",
    },
    lowest: "erwartete niedrigste Farbe",
    relative: ", verglichen mit dem besten Zug",
    best: "bester",
    equal: "gleich",
  },
  warning: {
    title: (loss) => `Dieser Zug verliert ${loss}`,
    text: (move) => `${move} ?? Der Schiedsrichter würde anders spielen.`,
    play: "Trotzdem spielen",
    show: "Den besseren zeigen",
    again: "Neu wählen",
    better: (move) => `${move} ist besser.`,
  },
  spaces: (number) => `${number} Felder`,
  played: (name, move, points) =>
    `${name}: ${move}${points === null ? "" : `, ${points === 1 ? "1 Punkt" : `${points} Punkte`}`}.`,
  end: { rematch: "Revanche, alle rücken weiter", another: "Noch ein Spiel", same: "Dieselben Steine noch einmal" },
};
