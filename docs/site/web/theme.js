// Loaded in the head, before anything is drawn, so that no page flashes in the wrong colours.
// Without a choice of the reader's own the style sheet follows the system.

document.documentElement.classList.add('scripted')
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen
} catch {
  // A browser that keeps nothing: the system's colours it is.
}
