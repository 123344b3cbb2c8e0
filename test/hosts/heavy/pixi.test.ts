import { engineHost } from '../engines.ts'
import { walkJourney } from '../journey.ts'

walkJourney(
  engineHost({
    name: 'Pixi',
    is: 'a Pixi 8 application, drawn by WebGL in headless Chromium; calls from its ticker',
    game: 'pixi.js',
  }),
)
