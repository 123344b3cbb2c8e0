// The switch between dark and light. A choice that is the system's own is forgotten, so that the pages follow the system again.

const system = matchMedia('(prefers-color-scheme: dark)')
const { dataset } = document.documentElement

export function startSwitch(button) {
  const isDark = () => (dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const show = () => button.setAttribute('aria-checked', String(isDark()))
  system.addEventListener('change', show)
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== 'theme') return
    choose(newValue)
    show()
  })
  button.addEventListener('click', () => {
    const wanted = isDark() ? 'light' : 'dark'
    const choice = (wanted === 'dark') === system.matches ? null : wanted
    choose(choice)
    keep(choice)
    show()
  })
  show()
}

function choose(theme) {
  if (theme) dataset.theme = theme
  else delete dataset.theme
}

function keep(theme) {
  try {
    if (theme) localStorage.setItem('theme', theme)
    else localStorage.removeItem('theme')
  } catch {
    // It holds for this page at least.
  }
}
