// What the index holds and how it is asked: the build and the page have to agree on it.

export const settings = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'text', 'href'],
  searchOptions: { boost: { title: 4, heading: 3 }, prefix: true, fuzzy: (/** @type {string} */ term) => (term.length > 4 ? 0.2 : 0) },
}
