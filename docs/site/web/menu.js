// On narrow screens the list of pages is behind a button. On wide ones the entry of this page is scrolled into view.

export function startMenu(button, pages) {
  const isOpen = () => button.getAttribute('aria-expanded') === 'true'
  const set = (open) => {
    button.setAttribute('aria-expanded', String(open))
    document.documentElement.classList.toggle('menu-open', open)
    if (open) toCurrent(pages)
  }
  button.addEventListener('click', () => {
    set(!isOpen())
    if (isOpen()) (pages.querySelector('[aria-current]') ?? pages.querySelector('a')).focus({ preventScroll: true })
  })
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    set(false)
    button.focus()
  })
  // Whoever tabs past the last entry is back in the page.
  pages.addEventListener('focusout', ({ relatedTarget }) => {
    if (isOpen() && relatedTarget && relatedTarget !== button && !pages.contains(relatedTarget)) set(false)
  })
  toCurrent(pages)
}

function toCurrent(pages) {
  const current = pages.querySelector('[aria-current]')
  if (current) pages.scrollTop += current.getBoundingClientRect().top - pages.getBoundingClientRect().top - pages.clientHeight / 2
}
