// Errors and drops, the newest first, with a look at the events that are gone. Payloads are written out only when someone looks.

import { createRows, element, setText } from './element.ts'
import { countText, timeText } from './figure.ts'
import type { Problem } from './record.ts'

export interface ProblemsView {
  readonly element: HTMLElement
  update(problems: readonly Problem[]): void
}

/** A payload may be as long as an event may be; its start says which one it is. */
const MAX_LETTERS = 2000

export function createProblemsView(): ProblemsView {
  const list = element('ol', { class: 'problems' })
  const none = element('p', { class: 'none' }, 'No error, and nothing dropped.')
  const update = createRows<Problem, HTMLLIElement>(list, createRow)
  return {
    element: element('div', {}, none, list),
    update(problems) {
      none.hidden = problems.length > 0
      list.hidden = problems.length === 0
      update(problems, (row, problem) => {
        setText(row.querySelector('.count') as Element, amountOf(problem))
        setText(row.querySelector('.dim') as Element, timeText(problem.at))
      })
    },
  }
}

function amountOf({ kind, count }: Problem): string {
  if (kind === 'error') return count > 1 ? `× ${countText(count)}` : ''
  return count === 1 ? '1 event' : `${countText(count)} events`
}

function createRow(problem: Problem): HTMLLIElement {
  const { kind, name, message } = problem
  const head = element(
    'p',
    { class: 'head' },
    element('span', { class: 'dim' }),
    element('span', { class: 'status', 'data-mood': kind === 'error' ? 'warn' : 'bad' }, kind === 'error' ? 'error' : 'dropped'),
    element('b', {}, name),
    element('span', { class: 'count' }),
  )
  const row = element('li', {}, head, element('p', { class: 'message free' }, message))
  if (kind === 'dropped') row.append(createLook(problem))
  return row
}

function createLook(problem: Problem): HTMLElement {
  const shown = element('div')
  const look = element('details', {}, element('summary', {}, 'Look at them'), shown)
  look.addEventListener('toggle', () => {
    shown.textContent = ''
    if (!look.open) return
    const { events, count } = problem
    for (const event of events) shown.append(element('pre', { class: 'free' }, written(event)))
    if (count > events.length) shown.append(element('p', { class: 'none' }, `${countText(count - events.length)} more are not kept here.`))
  })
  return look
}

function written(event: unknown): string {
  const text = JSON.stringify(event, null, 2) ?? String(event)
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text
}
