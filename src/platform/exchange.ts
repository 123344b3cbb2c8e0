// One request and its reply, whatever carries them: a time limit of our own, since hosts forget theirs, and headers in one form.

import { PlayerDataError } from '../error.ts'
import type { HttpRequest, HttpResponse, OnCancel } from '../port.ts'

/** How much longer a host may wait than we do: our own limit, which can say what it was, is to come first. */
export const GRACE_MS = 1000

/** `start` sends and returns how to give up. The first outcome counts; what the host says later is not heard. */
export async function exchange(
  { timeoutMs }: HttpRequest,
  onCancel: OnCancel | undefined,
  start: (resolve: (response: HttpResponse) => void, reject: (cause: unknown) => void) => () => void,
): Promise<HttpResponse> {
  const ends: (() => void)[] = []
  try {
    return await new Promise((resolve, reject) => {
      const giveUp = (cause: Error) => {
        reject(cause)
        abort()
      }
      const limit = setTimeout(
        () => giveUp(new PlayerDataError('timeout', `No reply came within ${timeoutMs} ms. Try again, or raise timeoutMs.`)),
        timeoutMs,
      )
      ends.push(() => clearTimeout(limit))
      if (onCancel) ends.push(onCancel(() => giveUp(new Error('Cancelled.'))))
      const abort = start(resolve, reject)
    })
  } finally {
    for (const end of ends) end()
  }
}

/** Names in lower case, values trimmed; what is empty was never sent. Some hosts hand over line ends, and empty text for what is absent. */
export function readHeaders(entries: [name: string, value: unknown][]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of entries) {
    const text = value ? String(value).trim() : ''
    if (text) headers[name.trim().toLowerCase()] = text
  }
  return headers
}
