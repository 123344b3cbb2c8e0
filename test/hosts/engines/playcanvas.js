// A scene with a spinning cube, a camera and a light. The journey's calls run in the update of a script of the cube.

import { Application, Entity, FILLMODE_NONE, Script } from 'playcanvas'

class Spin extends Script {
  static scriptName = 'spin'

  update(seconds) {
    this.entity.rotate(0, 60 * seconds, 0)
    globalThis.runCalls()
  }
}

const canvas = document.createElement('canvas')
document.body.append(canvas)
const app = new Application(canvas)
app.setCanvasFillMode(FILLMODE_NONE, 320, 240)
app.start()

const cube = new Entity('cube')
cube.addComponent('render', { type: 'box' })
cube.addComponent('script')
cube.script.create(Spin)
const camera = new Entity('camera')
camera.addComponent('camera')
camera.setPosition(0, 0, 3)
const light = new Entity('light')
light.addComponent('light')
for (const entity of [cube, camera, light]) app.root.addChild(entity)
