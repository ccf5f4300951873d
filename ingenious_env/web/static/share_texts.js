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
  invited: "A link with which somebody sits down at another page; this page then leaves the seat.",
  give: (/** @type {string} */ name) => `Give away the seat of ${name}`,
  given: (/** @type {string} */ name) => `The seat of ${name}`,
  send: "Send this link: whoever opens it has the seat, on any page that reaches this server.",
};
