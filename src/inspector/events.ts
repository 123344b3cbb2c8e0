// How the events stand: the counts, and the picture of the last minute.

import type { PlayerStats } from '../player.ts'
import { element, setAttribute, setText } from './element.ts'
import { bytesText, countText } from './figure.ts'
import { createPlot } from './plot.ts'
import type { Series } from './series.ts'

export interface EventsView {
  readonly element: HTMLElement
  update(stats: PlayerStats, series: Series, now: number): void
}

const DURABILITY: Record<PlayerStats['durability'], string> = {
  disk: 'on disk: survives a killed browser',
  weak: 'localStorage: survives a closed tab',
  memory: 'memory only: survives nothing',
}

export function createEventsView(): EventsView {
  const tiles = element('dl', { class: 'tiles' })
  const tile = (name: string, kind: string) => {
    const [value, detail] = [element('b'), element('small')]
    tiles.append(element('div', { class: kind }, element('dt', {}, name), element('dd', {}, value, detail)))
    return (count: number, more: string) => {
      setText(value, countText(count))
      setText(detail, more)
    }
  }
  const setWaiting = tile('Waiting', 'waiting')
  const setDelivered = tile('Delivered', 'delivered')
  const setDropped = tile('Dropped', 'dropped')
  const setResent = tile('Resent', 'resent')
  const plot = createPlot()
  const durability = element('span')
  const kept = element('p', { class: 'kept' }, 'Kept ', durability)

  return {
    element: element('section', { 'aria-label': 'Events' }, tiles, plot.element, kept),
    update({ buffered, bufferedBytes, delivered, dropped, resent, durability: worth }, series, now) {
      const reasons = Object.entries(dropped)
      setWaiting(buffered, bytesText(bufferedBytes))
      setDelivered(delivered, '')
      setDropped(
        reasons.reduce((sum, [, count]) => sum + count, 0),
        reasons.map(([reason, count]) => (reasons.length > 1 ? `${reason} ${countText(count)}` : reason)).join(', '),
      )
      setResent(resent, resent > 0 ? 'may be doubled' : '')
      setText(durability, DURABILITY[worth] ?? worth)
      setAttribute(kept, 'data-worth', worth)
      plot.draw(series, now)
    },
  }
}
