// What the service answers to a login, for unit tests.

import type { components } from '../generated/openapi.ts'

export type LoginResponse = components['schemas']['LoginResponse']

export function loginResponse(parts: Partial<LoginResponse> = {}): LoginResponse {
  return {
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    tokenType: 'Bearer',
    expiresIn: 3600,
    userId: 'player-1',
    deviceId: 'device-1',
    gameId: 'game-1',
    tenantId: 'tenant-1',
    playerConfig: {
      playerStatus: { isPayer: { value: true, defaultValue: false, expiredAt: null } },
      storeConfig: { activeSkus: [], lastUpdatedTimestamp: 1, userSpecificPromoId: null, fallbackConfig: null },
    },
    ...parts,
  }
}
