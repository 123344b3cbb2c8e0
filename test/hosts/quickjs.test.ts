import { newQuickJSWASMModule, type QuickJSContext } from 'quickjs-emscripten'
import { walkJourney } from './journey.ts'
import { bytes, createNative, type Native, platformScript } from './native.ts'
import { agent, bundle, callsBy } from './scripts.ts'

const FRAME_MS = 10

/** Gives the VM the three functions of its native side. */
function inject(vm: QuickJSContext, native: Native): void {
  const functions = {
    ask: vm.newFunction('ask', (message) => {
      const reply = vm.newPromise()
      native.answer(vm.getString(message)).then(
        (text) => vm.alive && vm.newString(text).consume(reply.resolve),
        (error) => vm.alive && vm.newError(String(error)).consume(reply.reject),
      )
      return reply.handle
    }),
    clock: vm.newFunction('clock', () => vm.newNumber(Date.now())),
    bytes: vm.newFunction('bytes', (length) => vm.newString(bytes(vm.getNumber(length)))),
  }
  for (const [name, handle] of Object.entries(functions)) handle.consume((each) => vm.setProp(vm.global, name, each))
}

async function start(native: Native) {
  const vm = (await newQuickJSWASMModule()).newContext()
  const run = (script: string) => vm.unwrapResult(vm.evalCode(script))
  inject(vm, native)
  for (const script of [bundle, platformScript, agent]) run(script).dispose()
  const frames = setInterval(() => {
    run('agent.tick()').dispose()
    vm.runtime.executePendingJobs()
  }, FRAME_MS)
  return {
    async evaluate(script: string): Promise<string> {
      const promise = run(script)
      const settled = vm.resolvePromise(promise)
      promise.dispose()
      return vm.unwrapResult(await settled).consume(vm.getString)
    },
    // The module goes with its last reference; a context with promises under way cannot be disposed of, nor can a killed process's.
    stop: () => clearInterval(frames),
  }
}

walkJourney({
  name: 'QuickJS',
  is: 'QuickJS (quickjs-emscripten), bare; stands in for PuerTS on QuickJS; timers by player.tick()',
  async open() {
    const native = createNative()
    let vm = await start(native)
    return {
      call: callsBy((script) => vm.evaluate(script)),
      async restart() {
        vm.stop()
        vm = await start(native)
      },
      traces: native.dump,
      async close() {
        vm.stop()
      },
    }
  },
})
