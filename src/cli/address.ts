// The base address of a service, as a flag gives it.

import { UsageError } from './command.ts'

/** Without a trailing slash. The value itself is not repeated in a message: it may hold a password. */
export function readAddress(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--${flag} must be the address in front of /auth/login, such as https://api.example.com`)
  }
  if (url.username || url.password) throw new UsageError(`--${flag} must not hold a user name or password`)
  if (url.search || url.hash) throw new UsageError(`--${flag} must not hold a query or a fragment`)
  return url.href.replace(/[/]+$/, '')
}
