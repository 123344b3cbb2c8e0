// The site of the crash tests: a page that tracks and tells what is committed, and a page that delivers what an earlier start has left.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as PlayerDataModule from '../../src/index.ts'

declare const PlayerData: typeof PlayerDataModule

/** What a page tells. All events below `committed` were stored when it was sent, or delivered. */
export interface Report {
  page: 'track' | 'deliver'
  /** The page is logged in and begins when this report is answered. */
  ready?: boolean
  tracked?: number
  committed?: number
  stats?: PlayerDataModule.PlayerStats
  problem?: string
}

export interface CrashSite {
  trackUrl(baseUrl: string): string
  deliverUrl(baseUrl: string): string
  close(): Promise<void>
}

/** Runs in the browser. */
async function run(page: Report['page']): Promise<void> {
  const report = (news: Omit<Report, 'page'>) => fetch('/report', { method: 'POST', body: JSON.stringify({ page, ...news }) })
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const problem = (error: unknown) => report({ problem: `${page}: ${String(error)}` })
  addEventListener('error', ({ message }) => problem(message))
  addEventListener('unhandledrejection', ({ reason }) => problem(reason))
  const player = PlayerData.createPlayerData({
    baseUrl: new URLSearchParams(location.search).get('baseUrl') as string,
    apiKey: 'dev-key',
    signer: PlayerData.developmentSigner({ secret: 'dev-secret' }),
    events: { intervalMs: 300 },
  })
  player.on('error', problem)
  player.on('dropped', ({ reason }) => problem(`dropped: ${reason}`))
  await player.login()
  await report({ ready: true })
  if (page === 'deliver') {
    for (;;) {
      await player.flush()
      await report({ stats: player.stats() })
      await pause(50)
    }
  }
  const began = performance.now()
  let tracked = 0
  setInterval(() => {
    for (const due = (performance.now() - began) / 5; tracked < due; tracked += 1) player.track('Crash_Probe', { id: tracked })
  }, 10)
  for (;;) {
    const committed = tracked
    await player.persisted()
    await report({ committed, tracked, stats: player.stats() })
  }
}

/** `hear` is called for each report before it is answered. */
export async function createCrashSite(hear: (report: Report) => void): Promise<CrashSite> {
  const server = createServer(async (request, response) => {
    if (request.url === '/player-data.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(readFileSync(new URL('../../dist/player-data.js', import.meta.url)))
    } else if (request.url === '/report') {
      let body = ''
      try {
        for await (const part of request) body += part
      } catch {
        return // killed in the middle of a report
      }
      hear(JSON.parse(body))
      response.end()
    } else {
      const page = request.url?.startsWith('/track') ? 'track' : 'deliver'
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><link rel="icon" href="data:,"><script src="/player-data.js"></script><script>(${run})("${page}")</script>`,
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    trackUrl: (baseUrl) => `${url}/track?baseUrl=${encodeURIComponent(baseUrl)}`,
    deliverUrl: (baseUrl) => `${url}/deliver?baseUrl=${encodeURIComponent(baseUrl)}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
