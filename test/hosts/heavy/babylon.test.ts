import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installEngines } from '../engines.ts'
import { walkJourney } from '../journey.ts'
import { callsBy } from '../scripts.ts'

walkJourney({
  name: 'Babylon',
  is: 'a Babylon 9 scene on NullEngine, in Node with fileStorage; calls before each frame; a restart is a SIGKILL',
  async open() {
    const engines = await installEngines()
    const folder = await mkdtemp(join(tmpdir(), 'player-data-babylon-'))
    const game = await readFile(new URL('../engines/babylon.js', import.meta.url), 'utf8')
    const agent = fileURLToPath(new URL('../agent.js', import.meta.url))
    const printed: string[] = []
    const answers: { resolve(text: string): void; reject(error: Error): void }[] = []

    function start() {
      // As text and not as a file: so it is at home among the engines, and finds them.
      const child = spawn(process.execPath, ['--input-type=module', '-e', game, folder, agent], { cwd: engines })
      child.stderr.on('data', (data) => printed.push(String(data)))
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('=')) answers.shift()?.resolve(line.slice(1))
        else printed.push(line)
      })
      child.once('close', () => {
        for (const { reject } of answers.splice(0)) reject(new Error(`The game has ended: ${printed.join('\n')}`))
      })
      return child
    }

    let child = start()
    const kill = async () => {
      const gone = child.exitCode === null && once(child, 'close')
      child.kill('SIGKILL')
      await gone
    }
    return {
      call: callsBy(
        (script) =>
          new Promise((resolve, reject) => {
            answers.push({ resolve, reject })
            child.stdin.write(`${script}\n`)
          }),
      ),
      async restart() {
        await kill()
        child = start()
      },
      traces: async () => printed.join('\n') + (await readFile(join(folder, 'player-data.jsonl'), 'utf8')),
      async close() {
        await kill()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
})
