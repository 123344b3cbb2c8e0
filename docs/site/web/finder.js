// The search: a dialog with a field and a list. `/` opens it, arrows choose, Enter goes. The index is fetched when it is first opened, as a
// script, so that it also works for pages opened from the disk.

import MiniSearch from 'minisearch'
import { settings } from '../search.mjs'

const most = 12

export function startFinder(dialog, buttons, root) {
  const field = dialog.querySelector('input')
  const list = dialog.querySelector('[role=listbox]')
  const count = dialog.querySelector('[role=status]')
  let index
  let chosen = -1

  const open = async () => {
    if (!dialog.open) dialog.showModal()
    field.select()
    field.focus()
    index ??= load(`${root}search-index.js`)
    await index
    find()
  }

  const choose = (at) => {
    const options = list.children
    options[chosen]?.setAttribute('aria-selected', 'false')
    chosen = options.length === 0 ? -1 : (at + options.length) % options.length
    field.setAttribute('aria-expanded', String(options.length > 0))
    if (chosen < 0) {
      field.removeAttribute('aria-activedescendant')
      return
    }
    options[chosen].setAttribute('aria-selected', 'true')
    options[chosen].scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', options[chosen].id)
  }

  const find = async () => {
    const query = field.value.trim()
    const mini = await index
    if (query !== field.value.trim()) return
    const strict = query ? mini.search(query, { combineWith: 'AND' }) : []
    const results = query && strict.length === 0 ? mini.search(query) : strict
    list.replaceChildren(...results.slice(0, most).map((result, at) => option(result, at, root)))
    count.textContent = query ? told(results.length) : ''
    choose(0)
  }

  for (const button of buttons) button.addEventListener('click', open)
  dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', ({ target }) => {
    // The dialog itself is clicked only where nothing of it is: beside it. A chosen place on this very page is behind it.
    if (target === dialog || target.closest('a')) dialog.close()
  })
  field.addEventListener('input', find)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') list.children[chosen]?.click()
    else return
    event.preventDefault()
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    const isCtrlK = event.key === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSlash && !isCtrlK) return
    event.preventDefault()
    open()
  })
}

const told = (results) =>
  results === 0
    ? 'Nothing found'
    : results === 1
      ? '1 place found'
      : results > most
        ? `${results} places found, the best ${most} shown`
        : `${results} places found`

function load(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve(MiniSearch.loadJS(window.playerDataSearch, settings))
    script.onerror = reject
    document.head.append(script)
  })
}

function option({ href, title, heading, text, terms }, at, root) {
  const made = element('a', '')
  made.href = `${root}${href}`
  made.id = `found-${at}`
  made.tabIndex = -1
  made.setAttribute('role', 'option')
  made.setAttribute('aria-selected', 'false')
  const name = element('strong', heading || title)
  const where = element('small', heading ? title : '')
  const line = element('span', '')
  line.append(...excerpt(text, terms))
  made.append(name, ' ', where, line)
  return made
}

/** The text around the first word that was found, with the words marked. */
function excerpt(text, terms) {
  const words = new RegExp(`(${terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'gi')
  const at = Math.max(0, text.search(words))
  const from = at < 60 ? 0 : text.indexOf(' ', at - 50) + 1
  const to = text.length <= from + 160 ? text.length : text.lastIndexOf(' ', from + 160)
  const piece = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
  return piece.split(words).map((part, turn) => (turn % 2 === 1 ? element('mark', part) : part))
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
