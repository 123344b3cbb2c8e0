// Once for the whole run: what the tests need and do not bring along.

import { existsSync } from 'node:fs'
import { findChromium } from './chromium.mjs'

export default async function setUp(): Promise<void> {
  if (!existsSync(new URL('../dist/player-data.js', import.meta.url))) throw new Error('dist/ is not built: run `npm run build` first.')
  // Found once, so that the workers neither search nor install at the same time.
  process.env.CHROMIUM_PATH = (await findChromium()).executablePath
}
