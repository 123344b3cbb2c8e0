// A level: what a scene does with the player.

import { _decorator, Component, Label } from 'cc'
import { PlayerService } from './PlayerService'

const { ccclass, property } = _decorator

@ccclass('LevelScene')
export class LevelScene extends Component {
  @property level = 1
  @property({ type: Label }) shop: Label | null = null

  private seconds = 0
  private stop = () => {}

  start(): void {
    const { player } = PlayerService.instance
    player.track('Level_Start', { level: this.level })
    this.stop = player.on('store', () => this.showShop())
    this.showShop()
  }

  update(dt: number): void {
    this.seconds += dt
  }

  complete(): void {
    PlayerService.instance.player.track('Level_Complete', { level: this.level, seconds: Math.round(this.seconds) })
  }

  onDestroy(): void {
    this.stop()
  }

  private showShop(): void {
    const { store, status } = PlayerService.instance.player
    if (!this.shop || !store) return
    const thanks = status?.isPayer.value ? 'Thank you!\n' : ''
    this.shop.string = thanks + store.activeSkus.map(({ name, offerPrice, currency }) => `${name} ${offerPrice} ${currency}`).join('\n')
  }
}
