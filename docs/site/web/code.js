// Copy buttons, and what is wider than the screen can be scrolled by keyboard.

const icon = {
  Copy: 'M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM16 5V4a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h0',
  Copied: 'm5 13 4.5 4.5L19 7',
  'Not allowed here': 'M6 6l12 12M18 6 6 18',
}

export function addCopyButtons() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path/></svg><span aria-live="polite"></span>'
    const show = (state) => {
      button.querySelector('path').setAttribute('d', icon[state])
      button.querySelector('span').textContent = state
      button.title = state
    }
    button.addEventListener('click', async () => {
      show(await copied(block.querySelector('code').textContent))
      setTimeout(show, 1500, 'Copy')
    })
    show('Copy')
    block.append(button)
  }
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied'
  } catch {
    return 'Not allowed here'
  }
}

export function watchScrollers() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWider = target.scrollWidth > target.clientWidth
      if (isWider) target.tabIndex = 0
      else target.removeAttribute('tabindex')
      if (target.tagName === 'PRE') continue
      if (isWider) target.setAttribute('role', 'region')
      else target.removeAttribute('role')
    }
  })
  for (const table of document.querySelectorAll('.table, .picture')) {
    table.setAttribute('aria-label', `${table.matches('.table') ? 'Table' : 'Picture'}, wider than the screen`)
    observer.observe(table)
  }
  for (const code of document.querySelectorAll('.code pre')) observer.observe(code)
}
