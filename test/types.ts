// The types that users see. Nothing here runs: `npm run types` fails where a line that must not compile does, or the reverse.

import type { createPlayerData, PlayerStatus, StoreConfig } from '../src/index.ts'

declare const player: ReturnType<typeof createPlayerData>

export async function typesOfTheClient(): Promise<void> {
  // The session's headers need not be given, and replies arrive unwrapped.
  const status = await player.api.GET('/v1/player/status')
  if (status.data) status.data satisfies PlayerStatus
  const store = await player.api.GET('/v1/player/store_configs')
  if (store.data) store.data satisfies StoreConfig
  // @ts-expect-error what the service does not show is unknown, not any
  store.data?.activeSkus[0]?.assets[0].url

  await player.api.POST('/v1/events', { body: [{ eventType: 'Own', timestamp: '', payload: { any: 1 }, metadata: {} }] })
  // @ts-expect-error an event has a payload
  await player.api.POST('/v1/events', { body: [{ eventType: 'Own', timestamp: '', metadata: {} }] })
  // @ts-expect-error no such path in the contract
  await player.api.POST('/auth/logout', {})
  // @ts-expect-error the login's reply is unwrapped
  ;(await player.api.POST('/auth/login', { body: { apiKey: '', deviceId: '', timestamp: '', signature: '' } })).data?.data
}
