// A scene with a spinning box on Babylon's engine without graphics, in Node. The journey's calls, a line of standard input each, run before
// the scene's next frame; a line out that starts with = is what came of one. Arguments: the folder to keep things in, and the agent.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { runInThisContext } from 'node:vm'
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js'
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js'
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js'
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js'
import { Scene } from '@babylonjs/core/scene.js'
import * as PlayerData from 'player-data-runtime'
import { fileStorage } from 'player-data-runtime/node'

const [folder, agent] = process.argv.slice(-2)
Object.assign(globalThis, { PlayerData, platform: { storage: fileStorage(folder) } })
runInThisContext(readFileSync(agent, 'utf8'))

const calls = []
createInterface({ input: process.stdin }).on('line', (line) => calls.push(line))

const engine = new NullEngine()
const scene = new Scene(engine)
new FreeCamera('camera', new Vector3(0, 0, -5), scene)
const box = CreateBox('box', {}, scene)
scene.onBeforeRenderObservable.add(() => {
  box.rotation.y += engine.getDeltaTime() / 1000
  while (calls.length > 0) runInThisContext(calls.shift()).then((text) => console.log(`=${text}`))
})
engine.runRenderLoop(() => scene.render())
