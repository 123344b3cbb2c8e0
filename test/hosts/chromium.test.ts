import { launchChromium } from '../chromium.mjs'
import { createBundleSite } from '../page.ts'
import { walkJourney } from './journey.ts'
import { agent, callsBy } from './scripts.ts'
import { readStores } from './stores.ts'

walkJourney({
  name: 'Chromium',
  is: 'a page in headless Chromium, the bundle by a script tag',
  async open() {
    const browser = await launchChromium()
    const context = await browser.newContext()
    const site = await createBundleSite()
    const printed: string[] = []
    const open = async () => {
      const page = await site.open(context)
      page.on('console', (message) => printed.push(message.text()))
      await page.addScriptTag({ content: agent })
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
  },
})
