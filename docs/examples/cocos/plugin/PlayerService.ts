// The same as with npm, in a project that has the bundle as a plugin script: `PlayerData` is a global, and its types come from
// player-data.global.d.ts, which lies beside it in assets/.

import { _decorator, Component, director, game, sys } from 'cc'

const { ccclass, property } = _decorator

@ccclass('PlayerService')
export class PlayerService extends Component {
  static instance: PlayerService

  @property baseUrl = 'http://127.0.0.1:4010'
  @property apiKey = 'dev-key'

  player!: PlayerData.PlayerData

  onLoad(): void {
    PlayerService.instance = this
    director.addPersistRootNode(this.node)
    this.player = PlayerData.createPlayerData({
      baseUrl: this.baseUrl,
      apiKey: this.apiKey,
      signer: PlayerData.developmentSigner({ secret: 'dev-secret' }),
      platform: PlayerData.bindCocos({ game, sys }),
    })
  }

  async logIn(): Promise<PlayerData.Session> {
    return this.player.login()
  }

  update(): void {
    this.player.tick()
  }
}
