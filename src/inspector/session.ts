// Who is logged in, for how long, and how the clocks stand. Ids are shortened: a screen gets shared.

import type { PlayerStats } from '../player.ts'
import type { Session } from '../session.ts'
import { element, setAttribute, setText } from './element.ts'
import { expiryText, offsetText } from './figure.ts'
import { shorten } from './redaction.ts'

export interface SessionView {
  readonly element: HTMLElement
  update(session: Session | null, stats: PlayerStats, now: number): void
}

const STATES: Record<PlayerStats['state'], string> = {
  'signed-out': 'signed out',
  online: 'online',
  offline: 'offline: the service is out of reach, and the last known data serve',
  closed: 'closed',
}
/** A clock that is further off than this makes signed logins fail until it is corrected. */
const FAR_OFF_MS = 240_000

export function createSessionView(): SessionView {
  const list = element('dl', { class: 'pairs' })
  const pair = (name: string) => {
    const value = element('dd')
    list.append(element('dt', {}, name), value)
    return (text: string, mood = '') => {
      setText(value, text)
      setAttribute(value, 'data-mood', mood)
    }
  }
  const setState = pair('State')
  const setExpiry = pair('Token expires')
  const setClock = pair('Clock')
  const setPlayer = pair('Player')
  const setDevice = pair('Device')
  const setGame = pair('Game')
  const setTenant = pair('Tenant')
  const setRandom = pair('Random ids')

  return {
    element: list,
    update(session, { state, clockOffsetMs, random }, now) {
      setState(STATES[state] ?? state, state === 'online' ? 'good' : state === 'offline' ? 'bad' : '')
      setExpiry(session ? expiryText(session.expiresAt, now) : '–', session && session.expiresAt <= now ? 'bad' : '')
      setClock(offsetText(clockOffsetMs), Math.abs(clockOffsetMs) > FAR_OFF_MS ? 'bad' : '')
      setPlayer(session ? shorten(session.userId) : '–')
      setDevice(session ? shorten(session.deviceId) : '–')
      setGame(session ? shorten(session.gameId) : '–')
      setTenant(session ? shorten(session.tenantId) : '–')
      setRandom(random === 'weak' ? 'weak: this host has no secure random numbers' : 'secure', random === 'weak' ? 'bad' : '')
    },
  }
}
