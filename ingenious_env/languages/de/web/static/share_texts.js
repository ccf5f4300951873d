// Die Wörter beim Teilen.

/** @type {typeof import("../../../../web/static/share_texts.js").TEXTS} */
export const TEXTS = {
  title: "Teilen",
  record: "Aufzeichnung",
  link: "Link",
  copyText: "Text kopieren",
  copyLink: "Link kopieren",
  saveText: "Text speichern",
  savePage: "Seite speichern",
  savePicture: "Bild speichern",
  saveFilm: "Film speichern",
  filming: (shown, total) => `Film: ${shown} von ${total}`,
  noPictures: "Dieser Browser zeichnet keine Bilder.",
  close: "Schließen",
  invite: "Jemanden einladen",
  invited: "Ein Link, mit dem sich jemand an einer anderen Seite hinsetzt; diese Seite gibt den Platz dann ab.",
  give: (name) => `Platz von ${name} abgeben`,
  given: (name) => `Der Platz von ${name}`,
  send: "Schicke diesen Link: Wer ihn öffnet, hat den Platz, auf jeder Seite, die diesen Server erreicht.",
};
