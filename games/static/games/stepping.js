// Steps through the game by arrow keys: they do what the buttons under the board do.

const BUTTONS = { ArrowLeft: "step-previous", ArrowRight: "step-next", Home: "step-first", End: "step-last" };

document.addEventListener("keydown", (event) => {
  const button = document.getElementById(BUTTONS[event.key]);
  const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  // Keys that move a cursor or scroll what has the focus are left to it.
  if (!button?.hasAttribute("href") || modified || event.target.closest("input, textarea, select, pre, [contenteditable]")) return;
  event.preventDefault();
  button.click();
});
