// Which host this is. The only code that asks.

import type { Host } from '../port.ts'
import { browserPlatform } from './browser.ts'
import { cocosPlatform } from './cocos.ts'
import { withCommon } from './common.ts'
import { minigamePlatform } from './minigame.ts'

export function detectPlatform(): Host {
  // In this order: engines dress up minigames and native builds as pages.
  return withCommon(minigamePlatform() || cocosPlatform() || browserPlatform())
}
