import { engineHost } from '../engines.ts'
import { walkJourney } from '../journey.ts'

walkJourney(
  engineHost({
    name: 'Phaser',
    is: 'a Phaser 4 scene, drawn by WebGL in headless Chromium; calls from the scene’s update',
    game: 'phaser.js',
  }),
)
