// The inspector for script tags, as one global.

import { attach } from './index.ts'

Object.assign(globalThis, { PlayerDataInspector: { attach } })
