// Die Wörter der Spiele, die sich öffnen lassen.

/** @type {typeof import("../../../../web/static/openings_texts.js").TEXTS} */
export const TEXTS = {
  daily: (title, date) => `${title} solo, mit dem Beutel des Tages (${date})`,
  own: "Meine Spiele",
  game: (title, partners, others) =>
    `${title}${partners.length ? ` mit ${partners.join(", ")}` : ""}${others.length ? ` gegen ${others.join(", ")}` : ""}`,
  name: (title) => `Name des Spiels ${title}`,
  state: (total, headline) => `Zug ${total}. ${headline}`,
  shown: "gerade offen",
  play: "Weiterspielen",
  look: "Ansehen",
  remove: "Löschen",
  sure: "Endgültig löschen",
  keep: "Behalten",
  text: "Aufzeichnung oder Stellung",
  file: "Datei mit einer Aufzeichnung oder Stellung",
};
