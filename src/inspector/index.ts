// The public face of `player-data-runtime/inspector`: an overlay for development that shows what a player does. It reads what any game
// can read, and does only what its buttons say.

import { CORNERS, type Corner } from './dock.ts'
import { createOverlay } from './overlay.ts'
import { createRecord, type InspectedPlayer } from './record.ts'

export interface InspectorOptions {
  /** Where it starts; it can be dragged to another. `bottom-right`, or the next corner that no other inspector has. */
  corner?: Corner
  /** Whether it starts as the whole panel rather than as its badge. `false` */
  open?: boolean
}

export type { Corner, InspectedPlayer }

const attached = new WeakMap<InspectedPlayer, () => void>()

/**
 * Shows the player in an overlay. Returns the function that takes it away again, with all that it has added to the page; so does the
 * player's `close()`. A second call for the same player replaces the first overlay. Where there is no page, it does nothing.
 */
export function attach(player: InspectedPlayer, options: InspectorOptions = {}): () => void {
  if (typeof document === 'undefined' || !document.documentElement.attachShadow) return () => {}
  attached.get(player)?.()
  const record = createRecord(player, Date.now)
  const overlay = createOverlay({ player, record, corner: options.corner ?? freeCorner(), open: options.open ?? false })
  const offClosed = player.on('state', (state) => {
    if (state === 'closed') detach()
  })

  function detach(): void {
    if (attached.get(player) === detach) attached.delete(player)
    offClosed()
    record.stop()
    overlay.remove()
  }
  attached.set(player, detach)
  return detach
}

function freeCorner(): Corner {
  const taken = [...document.querySelectorAll('player-data-inspector')].map((host) => host.getAttribute('corner'))
  return CORNERS.find((corner) => !taken.includes(corner)) ?? CORNERS[0]
}
