import { launchChromium } from '../chromium.mjs'
import { createBundleSite } from '../page.ts'
import type { Host } from './host.ts'
import { SECRET, walkJourney } from './journey.ts'
import { agent, callsBy } from './scripts.ts'
import { readStores } from './stores.ts'

/** `before` runs in each page ahead of the bundle, `after` behind it. */
async function openPages({ bundle = 'player-data.js', before = '', after = '' } = {}): Promise<Host> {
  const browser = await launchChromium()
  const context = await browser.newContext()
  await context.addInitScript(before)
  const site = await createBundleSite(undefined, bundle)
  const printed: string[] = []
  const open = async () => {
    const page = await site.open(context)
    page.on('console', (message) => printed.push(message.text()))
    await page.addScriptTag({ content: `${after};${agent}` })
    return page
  }
  let page = await open()
  return {
    call: callsBy((script) => page.evaluate(script)),
    async restart() {
      await page.close()
      page = await open()
    },
    traces: async () => printed.join('\n') + (await page.evaluate(readStores)),
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

walkJourney({
  name: 'Chromium',
  is: 'a page in headless Chromium, the bundle by a script tag',
  open: openPages,
})

walkJourney({
  name: 'Chromium, old',
  is: 'the same without fetch and IndexedDB: XMLHttpRequest and localStorage serve',
  open: () => openPages({ before: `delete window.fetch; Object.defineProperty(window, 'indexedDB', { value: undefined })` }),
})

/** A signer of the page's own, since the web bundle has none that holds a secret. */
const signer = `var signer = async ({ apiKey, deviceId, timestamp }) => {
  const bytes = (text) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes('${SECRET}'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes([apiKey, deviceId, timestamp].join('|'))))
  return { timestamp, signature: btoa(String.fromCharCode(...signature)) }
}`

walkJourney({
  name: 'Chromium, web bundle',
  is: 'player-data.web.js, the smaller one for production, with a signer of the page’s own',
  open: () => openPages({ bundle: 'player-data.web.js', after: signer }),
})
