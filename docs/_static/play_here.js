// The game in the place of its picture, once it is asked for: until then, nothing of it is loaded.
for (const place of document.querySelectorAll(".play-here")) {
  place.querySelector("a").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // as any link, in another tab
    event.preventDefault();
    const frame = document.createElement("iframe");
    frame.className = "game";
    frame.title = place.dataset.title;
    frame.src = place.dataset.game;
    place.replaceChildren(frame);
    frame.scrollIntoView({ block: "center" });
    frame.focus();
  });
}
