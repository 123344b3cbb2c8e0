// Copies text, as far as the page is let: by the clipboard, else by a field that is selected for the user to copy by hand.

import { element } from './element.ts'

export interface Clipboard {
  /** Where the field appears when it is needed. */
  readonly element: HTMLElement
  /** Says whether the text is on the clipboard; if not, it is in the field, selected. */
  copy(text: string): Promise<boolean>
}

export function createClipboard(): Clipboard {
  const place = element('div', { class: 'copy', hidden: '' })

  return {
    element: place,
    async copy(text) {
      place.textContent = ''
      place.hidden = true
      try {
        await navigator.clipboard.writeText(text)
        return true
      } catch {
        // Denied, or not there: pages without https have none.
      }
      const field = element('textarea', { class: 'free', readonly: '', rows: '4', 'aria-label': 'The report', spellcheck: 'false' })
      field.value = text
      place.append(field)
      place.hidden = false
      field.focus()
      field.select()
      return false
    },
  }
}
