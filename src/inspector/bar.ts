// The bar at the top, which is the whole of the overlay while it is collapsed: state, number of waiting events, number of problems.

import type { PlayerState } from '../player.ts'
import { element, icon, setAttribute, setMark, setText } from './element.ts'
import { countText } from './figure.ts'

export interface Bar {
  readonly element: HTMLElement
  readonly toggle: HTMLButtonElement
  readonly move: HTMLButtonElement
  setState(state: PlayerState): void
  setCounts(waiting: number, problems: number): void
}

export const STATE_NAMES: Record<PlayerState, string> = {
  'signed-out': 'signed out',
  online: 'online',
  offline: 'offline',
  closed: 'closed',
}

export function createBar(): Bar {
  const state = element('span', { class: 'state' })
  const waiting = element('b')
  const mark = element('span', { class: 'mark' })
  // Its name is what it shows, and a little for those who do not see which number is which.
  const toggle = element(
    'button',
    { type: 'button', class: 'toggle', 'aria-controls': 'body' },
    element('i', { class: 'light' }),
    element('span', { class: 'title' }, 'Player data'),
    state,
    element('span', { class: 'waits' }, waiting, ' waiting'),
    mark,
    icon('M4 6l4 4 4-4'),
  )
  const move = element(
    'button',
    { type: 'button', class: 'move', 'aria-label': 'Move to the next corner', title: 'Move to the next corner, or drag the bar' },
    icon('M2 6V2h4M2 2l5 5M14 10v4h-4M14 14L9 9'),
  )
  const bar = element('div', { class: 'bar' }, toggle, move)

  return {
    element: bar,
    toggle,
    move,
    setState(next) {
      setText(state, STATE_NAMES[next] ?? next)
      setAttribute(bar, 'data-state', next)
    },
    setCounts(waits, problems) {
      setText(waiting, countText(waits))
      setMark(mark, problems)
    },
  }
}
