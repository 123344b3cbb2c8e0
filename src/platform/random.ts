// Random bytes, for ids. Cocos Creator's native builds, minigames and bare engines have no source that deserves the name.

import type { Platform } from '../port.ts'

export function bestRandom(): Pick<Platform, 'random' | 'randomIsWeak'> {
  if (typeof crypto === 'object' && crypto && crypto.getRandomValues) {
    return { random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)) }
  }
  // Some engines seed Math.random alike at each start; the time, one byte of it to each of ours in turn, sets two starts apart.
  let drawn = 0
  return {
    random: (bytes) =>
      Uint8Array.from({ length: bytes }, () => {
        drawn += 1
        return (Math.random() * 256) ^ (Date.now() / 256 ** (drawn % 6))
      }),
    randomIsWeak: true,
  }
}
