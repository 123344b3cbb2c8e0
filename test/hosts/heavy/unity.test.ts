// The Unity package, as far as it goes without Unity's editor. Its plug-ins are linked by Emscripten as Unity links them, and a C program
// calls them as IL2CPP's output does.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/sandbox/index.ts'
import { createPlayer } from '../../../src/sandbox/player.ts'
import { createSigningHandler, toNodeListener } from '../../../src/signing/index.ts'
import { blocksOf } from '../../blocks.ts'
import { launchChromium } from '../../chromium.mjs'
import type { Host } from '../host.ts'
import { walkJourney } from '../journey.ts'
import { callsBy } from '../scripts.ts'
import { readStores } from '../stores.ts'
import { framework, here, linkWithoutRuntime, unityPackage, work } from './unity/link.ts'
import { compile, compileForPage, run } from './unity/mono.ts'
import { openPage } from './unity/pages.ts'
import { type LineProcess, startLines } from './unity/process.ts'

afterAll(() => rmSync(work, { recursive: true, force: true }))

walkJourney({
  name: 'Unity WebGL (emscripten, Chromium)',
  is: 'the package’s .jspre and .jslib linked by Emscripten 3.1.6 into a page in headless Chromium; a C program in place of IL2CPP’s output',
  async open() {
    const files: Record<string, string> = {
      '/': '<!doctype html><link rel="icon" href="data:,"><script src="framework.js"></script><script src="game.js"></script>',
      '/framework.js': readFileSync(framework, 'utf8'),
      '/game.js': `${readFileSync(join(here, 'game.cjs'), 'utf8')}\nconst agent = createAgent(unityFramework)`,
    }
    const site = await listen((request, response) => {
      response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript')
      response.end(files[request.url ?? ''])
    })
    const browser = await launchChromium()
    const context = await browser.newContext()
    const printed: string[] = []
    const open = async () => {
      const page = await context.newPage()
      page.on('console', (message) => printed.push(message.text()))
      page.on('pageerror', (error) => printed.push(String(error)))
      await page.goto(site.url)
      return page
    }
    let page = await open()
    return {
      call: callsBy((script) => page.evaluate(script)),
      async restart() {
        await page.close()
        page = await open()
      },
      async traces() {
        const stored = await page.evaluate(readStores)
        return printed.join('\n') + stored
      },
      async close() {
        await browser.close()
        await site.close()
      },
    }
  },
})

walkJourney({
  name: 'Unity WebGL (emscripten, Node)',
  is: 'the linked plug-ins and the C program in Node; a localStorage on a file stands in for the page’s storage',
  async open() {
    const store = join(work, 'node.json')
    const args = [join(here, 'node.cjs'), framework, store]
    return openProcesses(store, async () => [startLines(process.execPath, args)])
  },
})

walkJourney({
  name: 'Unity WebGL (C# in mono)',
  is: 'the package’s C# compiled by mcs and run by mono, its `__Internal` mapped to the linked plug-ins in Node; a localStorage on a file',
  async open() {
    const store = join(work, 'mono.json')
    const program = await compileForPage('journey.exe', [join(here, 'Journey.cs')])
    return openProcesses(store, async () => {
      const page = await openPage(store)
      return [startLines('mono', [program], page.env), page]
    })
  },
})

/** The first process takes the requests. A restart kills them all. */
async function openProcesses(store: string, start: () => Promise<[LineProcess, ...LineProcess[]]>): Promise<Host> {
  const started: LineProcess[] = []
  let running: [LineProcess, ...LineProcess[]]
  const open = async () => {
    running = await start()
    started.push(...running)
  }
  const end = async () => {
    for (const each of running) await each.kill()
  }
  await open()
  return {
    call: callsBy((script) => running[0].ask(JSON.parse(script.slice('agent.call('.length, -1)))),
    async restart() {
      await end()
      await open()
    },
    traces: async () => started.map(({ shown }) => shown).join('\n') + readFileSync(store, 'utf8'),
    close: end,
  }
}

describe('the plug-ins', { timeout: 60_000 }, () => {
  const require = createRequire(import.meta.url)
  const options = JSON.stringify({ baseUrl: 'https://a.example', apiKey: 'k', signer: { kind: 'development', secret: 's' } })

  it('give back the memory that they take', async () => {
    const { openGame } = require(join(here, 'game.cjs'))
    const game = await openGame(require(framework), () => {})
    const ask = (times: number) => {
      for (let call = 1; call <= times; call += 1) {
        game.call(1, call, 'stats', '[]')
        game.pump()
      }
    }
    game.stop()
    game.create(1, 1, options)
    ask(10)
    const before = game.used()
    ask(10_000)
    expect(game.used()).toBe(before)
    game.call(1, 1, 'stats', '[]') // an answer that is not fetched yet shows that the measure measures
    expect(game.used()).toBeGreaterThan(before)
  })

  it('say so where the runtime is not in the build', async () => {
    const { openGame } = require(join(here, 'game.cjs'))
    const heard: unknown[] = []
    const game = await openGame(require(await linkWithoutRuntime()), (...told: [number, number, string]) => heard.push(told))
    game.create(7, 3, options)
    game.pump()
    game.stop()
    const message = 'PlayerData.jspre is not in this build. Enable the WebGL platform for it in its import settings.'
    expect(heard).toEqual([[7, 3, JSON.stringify({ error: { code: 'config', message } })]])
  })
})

describe('the C# face', { timeout: 60_000 }, () => {
  it('does all that it says, on the real plug-ins and against the service', async () => {
    const service = await createSandbox({ strict: true })
    service.addFault({ kind: 'reject-events', match: { contains: 'poison' } })
    const busy = await createSandbox({ errors: 'object' })
    busy.addFault({ kind: 'status', status: 503 })
    const authorize = (request: Request) => request.headers.get('authorization') === 'Bearer own-login-token'
    const signing = await listen(toNodeListener(createSigningHandler({ keys: { 'dev-key': 'dev-secret' }, authorize })))
    const page = await openPage(join(work, 'walk.json'))
    const program = await compileForPage('walk.exe', [join(here, 'Walk.cs')])
    const deviceId = 'unity-device-12' // who pays, and has offers
    const { userId, playerConfig } = createPlayer({ seed: 'sandbox', apiKey: 'dev-key', deviceId })
    const env = { DEVICE: deviceId, SERVICE: service.url, BUSY: busy.url, SIGNING: signing.url, NOWHERE: 'http://127.0.0.1:9', ...page.env }
    const [sku] = playerConfig.storeConfig.activeSkus
    try {
      const saw = JSON.parse((await run(program, env)).out)
      expect(saw).toMatchObject({
        noOptions: ['Config', null, null, 'PlayerDataClient.Create needs options.'],
        noSigner: ['Config', null, null, 'PlayerDataOptions: Signer must be a RemoteSigner or a DevelopmentSigner.'],
        noDevice: ['Config', null, null, expect.stringMatching(/deviceId must be/)],
        noSecret: ['Config', null, null, expect.stringMatching(/secret of your development key pair/)],
        statusWithoutSession: ['Auth', null, null, expect.stringMatching(/no session/)],
        strangerLogin: ['Auth', 403, null, expect.stringMatching(/did not sign \(403\): Not allowed for this device/)],
        headersThatThrow: ['Config', null, null, 'The headers for RemoteSigner could not be had: not signed in to the studio'],
        headersAsked: 3,
        session: [userId, deviceId, false, 60, true],
        status: playerConfig.playerStatus,
        isPayer: true,
        store: playerConfig.storeConfig,
        sku: [sku?.skuId, sku?.name, 19.99, 15.99, 'USD', true],
        waiting: [4, true, 'Online', 'Weak'],
        flush: [4, 0, 4, 0, true],
        large: [0, 304],
        noType: ['Config', null, null, expect.stringMatching(/type/)],
        noDictionary: ['Config', null, null, expect.stringMatching(/payload/)],
        noJson: ['Config', null, null, expect.stringMatching(/^Version cannot be JSON/)],
        circular: ['Config', null, null, expect.stringMatching(/contain itself/)],
        rawThatIsNoJson: ['Config', null, null, 'The text is no JSON, as its character 5 shows.'],
        tooLarge: ['Config', null, null, expect.stringMatching(/32/)],
        afterMistakes: 0,
        rejected: 1,
        denied: 0,
        busy: ['Http', 503, 'UNAVAILABLE', expect.any(String)],
        wrongSecret: ['Auth', 401, null, expect.any(String)],
        nobodyThere: ['Network', null, null, expect.any(String)],
        two: true,
        loggedOut: true,
        trackAfterClose: ['Closed', null, null, expect.stringMatching(/PlayerDataClient[.]Create/)],
        loginAfterClose: ['Closed', null, null, expect.any(String)],
        statsAfterClose: ['Closed', null, null, expect.any(String)],
      })
      expect(saw.told).toEqual([
        'status False',
        'store 5',
        `session ${userId}`,
        'state Online',
        'dropped Rejected 1',
        'status null',
        'store null',
        'session null',
        'state SignedOut',
        'state Closed',
      ])
      expect(saw.delivered[0]).toEqual([4, expect.any(Number)])
      expect(saw.delivered.reduce((sum: number, [count]: number[]) => sum + (count ?? 0), 0)).toBe(305)
      const events = service.events().map(({ event }) => event)
      const payloadOf = (type: string) => events.filter(({ eventType }) => eventType === type).map(({ payload }) => payload)
      expect(payloadOf('Everything')).toEqual([
        {
          text: 'né 漢字 🎮 \u0000 "\\ \u2028 \n end',
          numbers: [1, -2, 3.5, 0.1, 1e21, 7.25, 255, null, 9007199254740991],
          flags: [true, false],
          counts: { gold: 3 },
          nothing: null,
          mood: 'Merry',
          at: '2026-03-01T12:00:07.250Z',
          made: { by: ['JsonUtility', 1.5] },
        },
      ])
      expect(payloadOf('Bare')).toEqual([{}])
      expect(payloadOf('Ad_Impression')).toEqual([{ adId: 'a1', userId, sessionId: 'unity-session' }])
      expect(events.find(({ eventType }) => eventType === 'Made')).toEqual({
        eventType: 'Made',
        timestamp: '2026-03-01T12:00:00.000Z',
        payload: { level: 3 },
        metadata: { own: true },
      })
      expect(events[0]?.metadata).toEqual({ build: 7 })
      expect(payloadOf('Large')).toEqual(Array.from({ length: 300 }, () => ({ text: '漢'.repeat(10_000) })))
      expect(payloadOf('Good')).toHaveLength(1)
      expect([...payloadOf('Poison'), ...payloadOf('Unwanted'), ...payloadOf('x')]).toEqual([])
      expect(service.breaches()).toEqual([])
    } finally {
      await page.kill()
      for (const each of [signing, busy, service]) await each.close()
    }
  })

  it('has a stand-in for the Editor, which says so once', async () => {
    const program = await compile('rehearsal.exe', [join(here, 'Rehearsal.cs')], { web: false })
    const { out, err } = await run(program)
    expect(JSON.parse(out)).toEqual({
      early: 'Auth',
      fails: 'Network',
      payer: true,
      more: 1,
      sku: 'Sample gems',
      lasts: 60,
      noType: 'Config',
      buffered: 1,
      delivered: 1,
      tracked: 'Level_Complete 3',
      count: 1,
      loggedOut: true,
      closed: 'Closed',
      calls: 'close fetchStatus login login fetchStatus track track stats flush setConsent track logout close',
      told: ['session editor-player', 'state Online', 'delivered 1', 'session null', 'state SignedOut', 'state Closed'],
    })
    expect(err.match(/stand-in answers with sample data/g)).toHaveLength(1)
  })
})

describe('scripts that a reader may copy', { timeout: 60_000 }, () => {
  const scripts = [
    ...blocksOf('unity').filter(({ language }) => language === 'csharp'),
    ...blocksIn('the package’s README', readFileSync(join(unityPackage, 'README.md'), 'utf8')),
    { page: 'the sample', at: 1, code: readFileSync(join(unityPackage, 'Samples~/FirstEvent/FirstEvent.cs'), 'utf8') },
  ]
  const fileOf = ({ page, at, code }: (typeof scripts)[number], url = '') => {
    const file = join(work, `${page.replaceAll(/[/ ]/g, '-')}-${at}.cs`)
    writeFileSync(file, url ? code.replaceAll('http://127.0.0.1:4010', url) : code)
    return file
  }

  it('are there', () => expect(scripts.length).toBeGreaterThan(5))

  it.each(scripts)('$page, script $at compiles for WebGL and for the Editor', async (script) => {
    await compile('script.dll', [fileOf(script)], { web: true })
    await compile('script.dll', [fileOf(script)], { web: false })
  })

  it.each(scripts.filter(({ code }) => code.includes('void Start()')))('$page, script $at plays', async (script) => {
    const sandbox = await createSandbox({ strict: true })
    const page = await openPage(join(work, 'play.json'))
    const [, name = ''] = /class (\w+) : MonoBehaviour/.exec(script.code) ?? []
    const program = await compileForPage('play.exe', [fileOf(script, sandbox.url), join(here, 'Play.cs')])
    const game = startLines('mono', [program, name], page.env)
    try {
      const prints = [...script.code.matchAll(/Debug[.]Log\(.*\); [/][/] (.*)$/gm)].map(([, text]) => text)
      for (const text of prints.length > 0 ? prints : ['1 delivered, 0 waiting']) await game.printed(`[log] ${text}`)
      expect(sandbox.events().length).toBeGreaterThan(0)
      expect(sandbox.breaches()).toEqual([])
      expect(game.shown).not.toContain('[exception]')
    } finally {
      await game.kill()
      await page.kill()
      await sandbox.close()
    }
  })
})

function blocksIn(page: string, text: string): { page: string; at: number; code: string }[] {
  return [...text.matchAll(/^```csharp\n(.*?)^```$/gms)].map(([, code = ''], at) => ({ page, at: at + 1, code }))
}

async function listen(handler: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
