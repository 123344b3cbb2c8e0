// The player of the game, as a component of a node that outlives the scenes. The runtime comes from npm.

import { _decorator, Component, director, game, sys } from 'cc'
import type { AdImpressionPayload, PlayerData } from 'player-data-runtime'
import { bindCocos, createPlayerData, developmentSigner, isPlayerDataError, remoteSigner } from 'player-data-runtime'

const { ccclass, property } = _decorator

/** The events of this game: `track` knows them, and refuses others. */
export type GameEvents = {
  Level_Start: { level: number }
  Level_Complete: { level: number; seconds: number }
}

@ccclass('PlayerService')
export class PlayerService extends Component {
  static instance: PlayerService

  @property baseUrl = 'http://127.0.0.1:4010'
  @property apiKey = 'dev-key'
  /** Your server's signing endpoint. While it is empty, the development key pair of the sandbox signs. */
  @property signingUrl = ''

  player!: PlayerData<GameEvents & { Ad_Impression: AdImpressionPayload }>

  onLoad(): void {
    PlayerService.instance = this
    director.addPersistRootNode(this.node)
    this.player = createPlayerData<GameEvents>({
      baseUrl: this.baseUrl,
      apiKey: this.apiKey,
      signer: this.signingUrl ? remoteSigner({ url: this.signingUrl }) : developmentSigner({ secret: 'dev-secret' }),
      platform: bindCocos({ game, sys }),
    })
    this.player.on('error', ({ code, message }) => console.warn(`[${code}] ${message}`))
  }

  /** Resolves with whether the game can start. Offline it can, once the player has been logged in before. */
  async logIn(): Promise<boolean> {
    try {
      await this.player.login()
      return true
    } catch (error) {
      if (!isPlayerDataError(error)) throw error
      console.warn(error.code === 'network' ? 'No network, and nobody was logged in before.' : error.message)
      return false
    }
  }

  /** Native builds fire timers by the frame, and not at all while an engine is paused. This drives ours; elsewhere it does nothing. */
  update(): void {
    this.player.tick()
  }
}
