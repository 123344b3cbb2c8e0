// Pages behind tabs, by the usual keys: arrows, Home and End move between the tabs, Tab goes on into the page.

import { element, setMark } from './element.ts'

export interface Page {
  name: string
  content: HTMLElement
}

export interface Tabs {
  readonly list: HTMLElement
  readonly panel: HTMLElement
  /** The number of problems on a tab. */
  mark(name: string, count: number): void
}

export function createTabs(pages: Page[]): Tabs {
  const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Parts' })
  const panel = element('div', { class: 'page', role: 'tabpanel', id: 'page', tabindex: '0' })
  const marks = new Map<string, HTMLElement>()
  const tabs = pages.map(({ name }, at) => {
    const mark = element('span', { class: 'mark' })
    marks.set(name, mark)
    const tab = element('button', { type: 'button', role: 'tab', id: `tab-${at}`, 'aria-controls': 'page' }, name, mark)
    tab.addEventListener('click', () => choose(at))
    return tab
  })

  function choose(chosen: number): void {
    tabs.forEach((tab, at) => {
      tab.setAttribute('aria-selected', String(at === chosen))
      tab.tabIndex = at === chosen ? 0 : -1
      ;(pages[at] as Page).content.hidden = at !== chosen
    })
    panel.setAttribute('aria-labelledby', `tab-${chosen}`)
    panel.scrollTop = 0
  }

  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab.tabIndex === 0)
    const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (step + tabs.length) % tabs.length
    choose(next)
    tabs[next]?.focus()
  })

  list.append(...tabs)
  panel.append(...pages.map(({ content }) => content))
  choose(0)
  return {
    list,
    panel,
    mark(name, count) {
      const mark = marks.get(name)
      if (mark) setMark(mark, count)
    },
  }
}
