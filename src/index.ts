// The public face. Everything a game can name is exported here.

import type { PlayerDataOptions } from './options.ts'
import { detectPlatform } from './platform/detect.ts'
import { createPlayer, type PlayerData } from './player.ts'

/** Makes the player. Nothing is sent, stored or started before the first call on it. */
export function createPlayerData(options: PlayerDataOptions): PlayerData {
  return createPlayer(options, { ...detectPlatform(), ...options.platform })
}

export type { components, paths } from '../generated/openapi.ts'
export type { Api } from './api.ts'
export { type ErrorCode, isPlayerDataError, PlayerDataError } from './error.ts'
export type { PlayerDataOptions } from './options.ts'
export type { PlayerData, PlayerEvents, PlayerState, PlayerStats } from './player.ts'
export type { HttpRequest, HttpResponse, KeyValue, Platform } from './port.ts'
export type { PlayerStatus, StoreConfig } from './profile.ts'
export type { Session } from './session.ts'
export type { SignRequest } from './signature.ts'
export {
  type DevelopmentSignerOptions,
  developmentSigner,
  type RemoteSignerOptions,
  remoteSigner,
  type Signed,
  type Signer,
} from './signer.ts'
export { version } from './version.ts'
