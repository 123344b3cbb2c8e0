// Random identifiers.

import type { Platform } from './port.ts'

/** A UUID, version 4. */
export function createId(random: Platform['random']): string {
  const bytes = random(16)
  const versioned = Array.from(bytes, (byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte))
  const hex = versioned.map((byte) => (byte + 256).toString(16).slice(1)).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
