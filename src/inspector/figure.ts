// Figures as people read them.

/** `12 345` */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

/** `3.1 KB` */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** A span of time in its two largest units: `59 min 32 s`. */
export function spanText(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1000)
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
  if (days) return `${days} d ${hours} h`
  if (hours) return `${hours} h ${minutes} min`
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** How long a request took: `84 ms`, `1.2 s`. */
export function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** The time of day on this device: `14:03:27`. */
export function timeText(at: number): string {
  const time = new Date(at)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** When a token expires, seen from `now`. */
export function expiryText(expiresAt: number, now: number): string {
  return expiresAt > now ? `in ${spanText(expiresAt - now)}` : `${spanText(now - expiresAt)} ago`
}

/** How the device's clock stands to the service's; `offsetMs` as `stats()` has it. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'in step, or not yet known'
  if (Math.abs(offsetMs) < 1000) return `in step (${offsetMs > 0 ? '+' : '−'}${Math.abs(Math.round(offsetMs))} ms)`
  return `device is ${spanText(offsetMs)} ${offsetMs > 0 ? 'behind' : 'ahead'}`
}
