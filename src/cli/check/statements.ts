// All statements, in the order in which they are checked. A refresh token is tried a second time at the very end: a service may answer that by
// ending the whole session.

import { browserStatements } from './browser.ts'
import { dataStatements } from './data.ts'
import type { Statement } from './finding.ts'
import { loginStatements } from './login.ts'
import { openStatements } from './open.ts'
import { timestampStatements } from './timestamp.ts'
import { tokenStatements } from './token.ts'

export const statements: readonly Statement[] = [
  ...loginStatements,
  ...timestampStatements,
  ...dataStatements,
  ...tokenStatements,
  ...browserStatements,
  ...openStatements,
]
