// A scene with a spinning square. The journey's calls run in its update.

import Phaser from 'phaser'

class Play extends Phaser.Scene {
  create() {
    this.square = this.add.rectangle(160, 120, 40, 40, 0x4488ff)
  }

  update(_time, delta) {
    this.square.rotation += delta / 1000
    globalThis.runCalls()
  }
}

new Phaser.Game({ type: Phaser.WEBGL, width: 320, height: 240, banner: false, scene: Play })
