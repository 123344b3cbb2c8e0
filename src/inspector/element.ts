// Elements, made by calls alone: whatever a payload or a message holds, it becomes text and nothing else. No style attribute either,
// which strict pages refuse.

import { countText } from './figure.ts'

type Child = Node | string

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const name of Object.keys(attributes)) made.setAttribute(name, attributes[name] as string)
  made.append(...children)
  return made
}

/** A line drawing in a field of 16 by 16, for the eye alone. */
export function icon(path: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

/** Writes what has changed, and leaves the page alone otherwise. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text
}

export function setAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value)
}

/** The number of problems on a red ground; nothing for none. */
export function setMark(target: Element, problems: number): void {
  if (target.getAttribute('data-count') === String(problems)) return
  target.setAttribute('data-count', String(problems))
  target.textContent = ''
  if (problems > 0) target.append(countText(problems), element('span', { class: 'unseen' }, problems === 1 ? ' problem' : ' problems'))
}

/** Makes the children of `list` those of `items`, in their order; an item that stays keeps its element, and all that is open in it. */
export function createRows<Item extends { id: number }, Row extends HTMLElement>(list: HTMLElement, make: (item: Item) => Row) {
  let rows = new Map<number, Row>()
  return (items: readonly Item[], update: (row: Row, item: Item) => void = () => {}): void => {
    const next = new Map(items.map((item) => [item.id, rows.get(item.id) ?? make(item)]))
    rows.forEach((row, id) => {
      if (!next.has(id)) row.remove()
    })
    let place = list.firstElementChild
    for (const item of items) {
      const row = next.get(item.id) as Row
      update(row, item)
      if (row === place) place = place.nextElementSibling
      else list.insertBefore(row, place)
    }
    rows = next
  }
}
