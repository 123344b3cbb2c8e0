// Makes what a service said fit to be printed: no secret, token or signature in it, nothing that moves a terminal's cursor, and not long.

export interface Redaction {
  /** From now on this text is hidden wherever it stands. */
  hide(secret: unknown): void
  clean(text: string): string
}

const HIDDEN = '[hidden]'
const MAX_LENGTH = 160
/** A JWT or its start, and every run that is too long for a word: what was never heard of before may be a token too. */
const LOOKS_SECRET = /eyJ[\w-]+(?:[.][\w-]*)*|[\w+/=-]{32,}/g

export function createRedaction(): Redaction {
  const secrets = new Set<string>()
  return {
    hide(secret) {
      if (typeof secret === 'string' && secret !== '') secrets.add(secret)
    },
    clean(text) {
      // The longest first: one may be the start of another.
      const known = [...secrets].sort((one, other) => other.length - one.length)
      const hidden = known.reduce((whole, secret) => whole.replaceAll(secret, HIDDEN), text).replace(LOOKS_SECRET, HIDDEN)
      const plain = hidden.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]+/gu, ' ').trim()
      return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : plain
    },
  }
}
