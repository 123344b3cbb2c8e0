// The last requests, the newest first.

import { createRows, element } from './element.ts'
import { durationText, timeText } from './figure.ts'
import type { Call } from './record.ts'

export interface RequestsView {
  readonly element: HTMLElement
  update(calls: readonly Call[]): void
}

export function createRequestsView(): RequestsView {
  const list = element('tbody')
  const names = ['Time', 'Request', 'Status', 'Took'].map((name) => element('th', { scope: 'col' }, name))
  const table = element('table', { class: 'requests' }, element('thead', {}, element('tr', {}, ...names)), list)
  const none = element('p', { class: 'none' }, 'No request since the inspector was attached.')
  const update = createRows<Call, HTMLTableRowElement>(list, ({ at, method, path, status, durationMs }) =>
    element(
      'tr',
      {},
      element('td', { class: 'dim' }, timeText(at)),
      element('td', { class: 'path' }, element('b', {}, method), ` ${path}`),
      element('td', {}, element('span', { class: 'status', 'data-mood': moodOf(status) }, status === 0 ? 'no reply' : String(status))),
      element('td', { class: 'number' }, durationText(durationMs)),
    ),
  )
  return {
    element: element('div', {}, none, table),
    update(calls) {
      none.hidden = calls.length > 0
      table.hidden = calls.length === 0
      update(calls)
    },
  }
}

function moodOf(status: number): string {
  return status >= 200 && status < 300 ? 'good' : status >= 400 && status < 500 ? 'warn' : 'bad'
}
