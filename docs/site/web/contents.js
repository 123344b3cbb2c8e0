// Marks, in the list of this page's headings, the one that is being read.

export function followHeadings(links) {
  const byId = new Map([...links].map((link) => [decodeURIComponent(link.hash.slice(1)), link]))
  const headings = [...byId.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  if (headings.length === 0) return
  const mark = () => {
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
    const current = scrollY === 0 ? undefined : atEnd ? headings.at(-1) : passed.at(-1)
    for (const [id, link] of byId) {
      if (id === current?.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}
