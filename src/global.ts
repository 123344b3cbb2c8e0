// The bundle for script tags and engines: all that a game can name, as the members of one global. It is assigned, not declared: Cocos
// Creator wraps plugin scripts in a function, and minigames run each file as a module.

import { bindCocos, createPlayerData, developmentSigner, isPlayerDataError, PlayerDataError, remoteSigner, version } from './index.ts'

declare const module: { exports: unknown } | undefined

const PlayerData = { bindCocos, createPlayerData, developmentSigner, isPlayerDataError, PlayerDataError, remoteSigner, version }

Object.assign(globalThis, { PlayerData })
if (typeof module === 'object') module.exports = PlayerData
