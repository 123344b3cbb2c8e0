// The buttons, and the line that says what came of them.

import { isPlayerDataError } from '../error.ts'
import { createClipboard } from './clipboard.ts'
import { element, setAttribute, setText } from './element.ts'
import { countText, expiryText } from './figure.ts'
import type { InspectedPlayer, PlayerRecord } from './record.ts'

export interface Actions {
  readonly element: HTMLElement
  /** Says something to everyone, those who listen to the screen included. */
  say(text: string): void
}

export interface ActionsDeps {
  player: InspectedPlayer
  record: Pick<PlayerRecord, 'note'>
  report(): string
}

export function createActions({ player, record, report }: ActionsDeps): Actions {
  const note = element('p', { class: 'note', role: 'status' })
  const clipboard = createClipboard()
  const row = element('div', { class: 'buttons', role: 'group', 'aria-label': 'Actions' })

  /** One press at a time. The button is not disabled meanwhile, which would throw the focus away. */
  function add(name: string, title: string, act: () => Promise<string>): void {
    const button = element('button', { type: 'button', title }, name)
    let isBusy = false
    button.addEventListener('click', async () => {
      if (isBusy) return
      isBusy = true
      setAttribute(button, 'aria-busy', 'true')
      try {
        setText(note, await act())
      } catch (error) {
        setText(note, isPlayerDataError(error) ? record.note(error) : String(error))
      }
      isBusy = false
      setAttribute(button, 'aria-busy', 'false')
    })
    row.append(button)
  }

  add('Flush', 'Sends now all that waits', async () => {
    const { delivered, remaining } = await player.flush()
    return `Flushed: ${countText(delivered)} delivered, ${countText(remaining)} waiting.`
  })
  add('Expire', 'Gets new tokens now, as if the old ones had expired', async () => {
    const { expiresAt } = await player.renew()
    return `New tokens; they expire ${expiryText(expiresAt, Date.now())}.`
  })
  add('Log out', 'Forgets the session, in every tab', async () => {
    await player.logout()
    return 'Logged out.'
  })
  add('Copy report', 'Copies what is here for a bug ticket, without tokens, whole ids and payloads', async () =>
    (await clipboard.copy(report())) ? 'The report is on the clipboard.' : 'Copying is not allowed here: copy the selected text by hand.',
  )

  return {
    element: element('div', { class: 'foot' }, clipboard.element, row, note),
    say: (text) => setText(note, text),
  }
}
