// A stage with a spinning square. The journey's calls run in the ticker of the application.

import { Application, Graphics } from 'pixi.js'

const app = new Application()
await app.init({ width: 320, height: 240, preference: 'webgl' })
document.body.append(app.canvas)
const square = new Graphics().rect(-20, -20, 40, 40).fill(0x4488ff)
square.position.set(160, 120)
app.stage.addChild(square)
app.ticker.add(({ deltaMS }) => {
  square.rotation += deltaMS / 1000
  globalThis.runCalls()
})
