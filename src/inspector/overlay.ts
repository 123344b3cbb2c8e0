// The overlay on the page: one element at the end of the document, with everything else in its shadow root. It takes no room, no focus
// and no input outside its box. Counts are read four times a second while it is open, once while it is a badge, never while the page is
// hidden.

import { version } from '../version.ts'
import { createActions } from './actions.ts'
import { createBar, STATE_NAMES } from './bar.ts'
import { type Corner, makeDraggable, nextCorner } from './dock.ts'
import { element, setAttribute } from './element.ts'
import { createEventsView } from './events.ts'
import { createProblemsView } from './problems.ts'
import type { InspectedPlayer, PlayerRecord } from './record.ts'
import { createReport } from './report.ts'
import { createRequestsView } from './requests.ts'
import { createSessionView } from './session.ts'
import { dress } from './sheet.ts'
import { shield } from './shield.ts'
import { createStoreView } from './store.ts'
import { createTabs } from './tabs.ts'

export interface OverlayDeps {
  player: InspectedPlayer
  record: PlayerRecord
  corner: Corner
  open: boolean
}

export interface Overlay {
  /** Takes everything away that was added to the page. */
  remove(): void
}

const OPEN_MS = 250
const BADGE_MS = 1000

export function createOverlay({ player, record, corner, open }: OverlayDeps): Overlay {
  const host = document.createElement('player-data-inspector')
  const root = host.attachShadow({ mode: 'open' })
  const bar = createBar()
  const events = createEventsView()
  const session = createSessionView()
  const store = createStoreView()
  const requests = createRequestsView()
  const problems = createProblemsView()
  const tabs = createTabs([
    { name: 'Session', content: session.element },
    { name: 'Store', content: store.element },
    { name: 'Requests', content: requests.element },
    { name: 'Problems', content: problems.element },
  ])
  const actions = createActions({ player, record, report })
  const body = element('div', { class: 'body', id: 'body' }, events.element, tabs.list, tabs.panel, actions.element)
  const box = element('div', { class: 'box', role: 'region', 'aria-label': 'Player data inspector' }, bar.element, body)
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  function report(): string {
    const { session, status, store } = player
    const { innerWidth, innerHeight, devicePixelRatio } = window
    const { userAgent, language, onLine } = navigator
    const screen = `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`
    const facts = { page: location.origin, userAgent, language, screen, onLine, visible: document.visibilityState }
    return createReport({ now: Date.now(), version, host: facts, session, status, store, stats: player.stats(), record })
  }

  function update(): void {
    const now = Date.now()
    readAt = performance.now()
    const stats = record.sample()
    bar.setState(stats.state)
    bar.setCounts(stats.buffered, record.problemCount)
    if (!open) return
    events.update(stats, record.series, now)
    session.update(player.session, stats, now)
    store.update(player.status, player.store)
    requests.update(record.calls)
    problems.update(record.problems)
    tabs.mark('Problems', record.problemCount)
  }

  function read(): void {
    update()
    timer = setTimeout(read, open ? OPEN_MS : BADGE_MS)
  }

  /** Starts the reading anew, at the pace of what can be seen. */
  function pace(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') return
    const waitMs = readAt + OPEN_MS - performance.now()
    if (waitMs > 0) timer = setTimeout(read, waitMs)
    else read()
  }

  function setOpen(next: boolean): void {
    open = next
    body.hidden = !open
    setAttribute(box, 'data-open', String(open))
    setAttribute(bar.toggle, 'aria-expanded', String(open))
    pace()
  }

  function setCorner(next: Corner): void {
    corner = next
    setAttribute(host, 'corner', corner)
    setAttribute(box, 'data-corner', corner)
  }

  /** Above everything, a game in full screen included: what comes last into the top layer is above the rest. */
  function rise(): void {
    if (!host.isConnected || !('showPopover' in host)) return
    if (host.matches(':popover-open')) host.hidePopover()
    host.showPopover()
  }

  bar.toggle.addEventListener('click', () => setOpen(!open))
  bar.move.addEventListener('click', () => setCorner(nextCorner(corner)))
  box.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !open) return
    const isWithin = root.activeElement !== null
    setOpen(false)
    if (isWithin) bar.toggle.focus()
  })
  makeDraggable(box, bar.element, setCorner)
  shield(box)
  dress(root)
  root.append(box)
  setCorner(corner)
  host.setAttribute('popover', 'manual')
  document.documentElement.append(host)
  rise()
  setOpen(open)

  const offState = player.on('state', (state) => {
    bar.setState(state)
    actions.say(`Player data: ${STATE_NAMES[state] ?? state}.`)
  })
  document.addEventListener('visibilitychange', pace)
  document.addEventListener('fullscreenchange', rise)

  return {
    remove() {
      clearTimeout(timer)
      offState()
      document.removeEventListener('visibilitychange', pace)
      document.removeEventListener('fullscreenchange', rise)
      host.remove()
    },
  }
}
