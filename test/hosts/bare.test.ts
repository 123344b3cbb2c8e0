import { createContext, runInContext } from 'node:vm'
import { walkJourney } from './journey.ts'
import { bytes, createNative, platformScript } from './native.ts'
import { agent, bundle, callsBy } from './scripts.ts'

const FRAME_MS = 10

walkJourney({
  name: 'bare VM',
  is: 'V8 with nothing but the language (node:vm); http, storage, clock and random injected, timers by player.tick()',
  async open() {
    const native = createNative()
    const start = () => {
      const context = createContext(
        { ask: native.answer, clock: () => Date.now(), bytes },
        { codeGeneration: { strings: false, wasm: false } },
      )
      for (const script of [bundle, platformScript, agent]) runInContext(script, context)
      const frames = setInterval(() => runInContext('agent.tick()', context), FRAME_MS)
      return { context, stop: () => clearInterval(frames) }
    }
    let vm = start()
    return {
      call: callsBy((script) => runInContext(script, vm.context)),
      async restart() {
        vm.stop()
        vm = start()
      },
      traces: native.dump,
      async close() {
        vm.stop()
      },
    }
  },
})
