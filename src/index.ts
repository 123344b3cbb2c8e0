// The public face. Everything a game can name is exported here.

import type { PlayerDataOptions } from './options.ts'
import { detectPlatform } from './platform/detect.ts'
import { createPlayer, type OpenEvents, type PlayerData } from './player.ts'

/**
 * Makes the player. Nothing is sent, stored or started before the first call on it.
 * A game that declares its events, `createPlayerData<MyEvents>(…)`, gets completion and errors for them in `track`.
 */
export function createPlayerData<Events extends object = OpenEvents>(
  options: PlayerDataOptions,
): PlayerData<Events & Pick<OpenEvents, 'Ad_Impression'>> {
  return createPlayer(options, Object.assign(detectPlatform(), options?.platform))
}

export type { components, paths } from '../generated/openapi.ts'
export type { Api } from './api.ts'
export { type ErrorCode, isPlayerDataError, PlayerDataError } from './error.ts'
export type { AdImpressionPayload, EventMetadata, Priority, TrackOptions } from './event.ts'
export type { Consent, EventOptions, PlayerDataOptions } from './options.ts'
export type { DropReason } from './outbox.ts'
export { bindCocos, type CocosEngine } from './platform/cocos.ts'
export type { OpenEvents, PlayerData, PlayerEvents, PlayerState, PlayerStats } from './player.ts'
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
export type { RequestNews } from './transport.ts'
export { version } from './version.ts'
