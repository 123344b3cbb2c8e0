// The smaller bundle, for pages in production: browsers that have fetch, and no signer that would hold a secret in the page. Else the same global
// with the same names, so that a page can change from one to the other.

import { isPlayerDataError, PlayerDataError } from './error.ts'
import type { PlayerDataOptions } from './options.ts'
import { browserPlatform } from './platform/browser.ts'
import { withCommon } from './platform/common.ts'
import { fetchHttp } from './platform/fetch.ts'
import { createPlayer } from './player.ts'
import { remoteSigner } from './signer.ts'
import { version } from './version.ts'

const createPlayerData = (options: PlayerDataOptions) =>
  createPlayer(options, Object.assign(withCommon(browserPlatform(fetchHttp)), options?.platform))
/** In a browser the page itself tells what the engine would. */
const bindCocos = () => ({})

Object.assign(globalThis, { PlayerData: { bindCocos, createPlayerData, isPlayerDataError, PlayerDataError, remoteSigner, version } })
