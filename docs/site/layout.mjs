// The frame around every page: head, header, navigation, footer. All addresses are relative, so that the site works in any folder.

import { escapeHtml } from './highlight.mjs'

/** @typedef {import('./pages.mjs').Page} Page */

const policy = (connect) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect}; base-uri 'none'; form-action 'none'`

const icon = (body) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${body}</svg>`
const icons = {
  search: icon('<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/>'),
  sun: icon(
    '<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19"/>',
  ),
  moon: icon('<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>'),
  menu: icon('<path d="M4 7h16M4 12h16M4 17h16"/>'),
}

/** Three events in a row, and the last has arrived. */
export const mark =
  '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="9"/><path d="M6.5 17h.01M12 17h.01M16.5 17l4 4 6.5-9.5"/></svg>'

/**
 * @param {object} page
 * @param {string} page.href its address, from the site's root
 * @param {string} page.title
 * @param {string} page.description
 * @param {string} page.body
 * @param {'home' | 'guide'} [page.kind] a home page has the whole width for itself
 * @param {{ level: number, id: string, text: string }[]} [page.headings]
 * @param {string[]} [page.scripts]
 * @param {string} [page.connect] whom its scripts may call
 * @param {{ groups: { title: string, pages: Page[] }[], version: string }} site
 */
export function layOut(
  { href, title, description, body, kind = 'guide', headings = [], scripts = [], connect = "'self'" },
  { groups, version },
) {
  const hasContents = kind === 'guide' && headings.length > 1
  const root = '../'.repeat(href.split('/').length - 1)
  const link = (/** @type {Page} */ page, text = page.label) =>
    `<a href="${root}${page.href}"${page.href === href ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`
  const all = groups.flatMap(({ pages }) => pages)
  const listed = (name) => all.filter((page) => page.href === name)
  const doors = [
    ...listed('quickstart.html').map((page) => link(page)),
    ...listed('demo/index.html').map((page) => link(page, 'Demo')),
    ...listed('hosts.html').map((page) => link(page)),
    ...listed('api/index.html').map((page) => link(page, 'API')),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(connect)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escapeHtml(shortened(description))}">
<title>${escapeHtml(kind === 'home' ? title : `${title} · Player Data Runtime`)}</title>
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}style.css">
<link rel="stylesheet" href="${root}pictures.css">
<script src="${root}theme.js"></script>
<script src="${root}site.js" defer data-root="${root}"></script>
${scripts.map((script) => `<script src="${root}${script}" defer></script>`).join('\n')}
</head>
<body class="${kind === 'guide' && !hasContents ? 'guide wide' : kind}">
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
  <a class="brand" href="${root}index.html"${kind === 'home' ? ' aria-current="page"' : ''}>${mark}<span>Player Data Runtime</span></a>
  <nav class="doors" aria-label="Main">${doors.join('')}</nav>
  <div class="tools">
    <button type="button" class="search" data-search aria-haspopup="dialog">${icons.search}<span>Search</span><kbd aria-hidden="true">/</kbd></button>
    <button type="button" class="icon" data-theme-switch role="switch" aria-checked="false" aria-label="Dark colours">${icons.sun}${icons.moon}</button>
    <button type="button" class="icon menu" data-menu-button aria-expanded="false" aria-controls="pages" aria-label="Menu">${icons.menu}</button>
  </div>
</header>
<div class="frame">
<nav class="pages" id="pages" aria-label="All pages">
${groups.map((group, at) => sideGroup(group, at, link)).join('\n')}
</nav>
<main id="main" tabindex="-1">
${hasContents ? `<details class="contents narrow"><summary>On this page</summary>${contents(headings)}</details>` : ''}
${body}
${kind === 'guide' ? neighbours(all, href, root) : ''}
</main>
${hasContents ? `<aside class="contents" aria-labelledby="contents"><p id="contents">On this page</p>${contents(headings)}</aside>` : ''}
</div>
<footer class="end">
  <p>Player Data Runtime ${escapeHtml(version)}</p>
  <p>${[...listed('changelog.html').map((page) => link(page)), `<a href="${root}files/LICENSE.html">Apache-2.0</a>`].join('')}</p>
</footer>
<dialog class="finder" id="finder" aria-label="Search">
  <div class="field">${icons.search}<input type="text" inputmode="search" role="combobox" aria-label="Search the pages" aria-controls="found" aria-expanded="false" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search the pages"><button type="button" data-close>Close</button></div>
  <p class="count" role="status"></p>
  <div id="found" role="listbox" aria-label="Pages found"></div>
</dialog>
</body>
</html>
`
}

function sideGroup({ title, pages }, at, link) {
  return `<p class="group" id="group-${at}">${escapeHtml(title)}</p>
<ul aria-labelledby="group-${at}">${pages.map((page) => `<li>${link(page)}</li>`).join('')}</ul>`
}

function contents(headings) {
  const shown = headings.filter(({ level }) => level <= 3)
  return `<ul>${shown.map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')}</ul>`
}

function neighbours(all, href, root) {
  const at = all.findIndex((page) => page.href === href)
  if (at < 0) return ''
  const side = (page, name, text) =>
    page ? `<a class="${name}" href="${root}${page.href}"><small>${text}</small> ${escapeHtml(page.label)}</a>` : ''
  return `<nav class="neighbours" aria-label="Before and after">${side(all[at - 1], 'before', 'Before')}${side(all[at + 1], 'after', 'Next')}</nav>`
}

/** What a list of search results would show. */
function shortened(text) {
  return text.length <= 160 ? text : `${text.slice(0, text.lastIndexOf(' ', 157))}…`
}
