// Die Wörter von Loopit.

/** @type {typeof import("../../../../../games/loopit/page/texts.js").LOOPIT} */
export const LOOPIT = {
  empty: (factor) => `leer, zählt ${factor}-fach`,
  ends: { N: "oben", E: "rechts", S: "unten", W: "links" },
  choices: { stop: "aufhören", "throw back": "zurückwerfen", keep: "behalten" },
  misfit:
    "Der Stein passt dort nicht: Seine Linien müssen zu denen aller Nachbarsteine passen, eine davon fortsetzen und " +
    "dürfen nicht am Rand des Spielplans enden.",
  stuck: "Keiner deiner Steine passt. Wirf sie zurück und ziehe neue, oder behalte sie.",
  turn: (left, isMore, mayStop) =>
    `Du bist am Zug: Lege ${isMore ? "noch " : ""}${left === 1 ? "einen Stein" : `bis zu ${left} Steine`}` +
    `${mayStop ? ", oder höre auf" : ""}.`,
};
