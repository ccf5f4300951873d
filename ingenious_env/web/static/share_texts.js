// The words of sharing.

export const TEXTS = {
  title: "Share",
  record: "Record",
  link: "Link",
  copyText: "Copy text",
  copyLink: "Copy link",
  saveText: "Save text",
  savePage: "Save page",
  savePicture: "Save picture",
  saveFilm: "Save film",
  filming: (/** @type {number} */ shown, /** @type {number} */ total) => `Film: ${shown} of ${total}`,
  noPictures: "this browser draws no pictures",
  close: "Close",
  invite: "Invite somebody",
  invited: "A link by which somebody takes the seat on another page; this page gives it up.",
  give: (/** @type {string} */ name) => `Give away the seat of ${name}`,
  given: (/** @type {string} */ name) => `The seat of ${name}`,
  send: "Send this link: whoever opens it plays this seat, on any device that reaches this server.",
};
