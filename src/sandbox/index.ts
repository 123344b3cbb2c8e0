// The public face of `player-data-runtime/sandbox`.

export type { Controls, Stats } from './control.ts'
export type { ActiveFault, Fault, FaultScope, When } from './faults.ts'
export type { PlayerEvent, ReceivedEvent, Tally } from './ledger.ts'
export { createLine } from './log.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
export type { Settings } from './settings.ts'
export type { OperationCount, RequestEntry } from './traffic.ts'
