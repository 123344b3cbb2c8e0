import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { walkJourney } from './journey.ts'
import { callsBy } from './scripts.ts'

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

walkJourney({
  name: 'Node',
  is: `Node ${process.versions.node}, the package's module, fileStorage; a restart is a SIGKILL`,
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'player-data-'))
    const program = `
      import * as PlayerData from ${url('../../dist/player-data.mjs')}
      import { fileStorage } from ${url('../../dist/node.mjs')}
      import { readFileSync } from 'node:fs'
      import { createInterface } from 'node:readline'
      import { runInThisContext } from 'node:vm'
      Object.assign(globalThis, { PlayerData, platform: { storage: fileStorage(${JSON.stringify(directory)}) } })
      runInThisContext(readFileSync(new URL(${url('agent.js')}), 'utf8'))
      for await (const line of createInterface({ input: process.stdin })) runInThisContext(line).then((text) => console.log('=' + text))`
    const printed: string[] = []
    const answers: ((text: string) => void)[] = []
    const start = () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program])
      child.stderr.on('data', (chunk) => printed.push(String(chunk)))
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('=')) answers.shift()?.(line.slice(1))
        else printed.push(line)
      })
      return child
    }
    let child = start()
    const kill = async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    return {
      call: callsBy((script) => {
        child.stdin.write(`${script}\n`)
        return new Promise((resolve) => answers.push(resolve))
      }),
      async restart() {
        await kill()
        child = start()
      },
      traces: async () => printed.join('\n') + readFileSync(join(directory, 'player-data.jsonl'), 'utf8'),
      async close() {
        await kill()
        rmSync(directory, { recursive: true })
      },
    }
  },
})
