// What the index holds and how it is asked: the build and the page have to agree on it.

export const settings = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'text', 'href'],
  searchOptions: {
    boost: { title: 4, heading: 3 },
    prefix: true,
    fuzzy: (/** @type {string} */ term) => (term.length > 4 ? 0.2 : 0),
    boostDocument: (/** @type {string} */ _id, /** @type {string} */ _term, /** @type {{ href: string }} */ { href }) => weightOf(href),
  },
}

/** Where people look first comes first; long tables that name everything come last. @param {string} href */
function weightOf(href) {
  const [page = ''] = href.split('#')
  if (/^(quickstart|reference)[.]html/.test(page)) return 3
  if (/^(errors|events|session|sandbox|signing)[.]html/.test(page)) return 2
  return /^(check|benchmarks|changelog|hosts)[.]html/.test(page) ? 0.5 : 1
}
