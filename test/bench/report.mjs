// docs/benchmarks.md, from a run.

import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { chromiumVersion } from './browser.mjs'
import { createMarkdown } from './table.mjs'

const file = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))

/** What the figures were taken on, in one line. */
export async function describeMachine() {
  const [{ model } = { model: '' }] = cpus()
  return `${await chromiumVersion()}, ${process.platform} ${process.arch}, ${cpus().length} x ${model.trim() || 'CPU'}`
}

export function writeReport({ machine, lines, notes }) {
  writeFileSync(
    file,
    `# Benchmarks

This runtime beside the libraries that a game could take instead, and beside two floors: a sender of one kilobyte that posts a hundred
events at a time from memory (\`ref-memory\`), and the same over IndexedDB with one put per hundred events, relaxed durability, deleted
after a 2xx (\`ref-indexeddb\`). One serial run of \`npm run bench\`; compare columns, not runs: the machine is small and shared.

${machine}.

${createMarkdown(lines)}

What did not get through:

${notes.map((note) => `- ${note}`).join('\n') || '- nothing'}

## How it is measured

- Every sample has a fresh browser on a fresh profile on the disk; the server is on 127.0.0.1 and nothing else can be reached.
- The event is the same for all: an \`Ad_Impression\` whose JSON has 233 bytes. Peers are set up in their favour: a hundred events per
  request where they can, autocapture, remote settings and recording off, limits on their queues raised. \`test/bench/peers/\` has it all.
- CPU is thread time of the page's main thread, from the renderer's own accounts (\`ThreadTime\` of the DevTools protocol), never the
  clock on the wall. It includes the structured clones of IndexedDB. "The whole browser" is all its processes.
- Until delivered: 10 000 events, a hundred every 16 ms, the server up. \`>=\` is what was spent when the time was up, spread over all
  10 000 events.
- \`track\`: 200 calls in one task with so many events waiting and the server down; the calls alone, and with all that they set off
  until the page is at rest again (the commit, or a rewrite of the queue). The ratio is of the latter. The first three columns are the
  median of five such batches in each of three pages, so "none waiting" is up to a thousand.
- Heap: used JavaScript heap after a forced collection, minus the same before the events were tracked.
- SIGKILL: 1 037 calls in one task, the server unreachable, the whole browser killed so long after the last call, started again on the
  same profile with the server up, one more event tracked; what arrives within 30 s. The worst of the samples.
- Mixpanel deletes what it could not send while the browser says that it is online: its queue does not grow, so its figures with
  events waiting are those of a short queue.
`,
  )
}
