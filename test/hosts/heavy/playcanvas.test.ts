import { engineHost } from '../engines.ts'
import { walkJourney } from '../journey.ts'

walkJourney(
  engineHost({
    name: 'PlayCanvas',
    is: 'a PlayCanvas 2 scene, drawn by WebGL in headless Chromium; calls from a script’s update',
    game: 'playcanvas.js',
  }),
)
