// The game's use of the runtime: all that a game of your own would do, and the counting for the panel beside it.
//
// Every event carries a number of its own, `n`. The number is kept outside the runtime, in localStorage, before anything else hears of the
// event: so what was tracked is known for certain, whatever becomes of the game, and can be held against what the service got.

const { createPlayerData, developmentSigner } = window.PlayerData

/** A store worth looking at. The sandbox makes every device another player, and some of them are offered nothing. */
const ENOUGH_SKUS = 3
const MOST_TRIES = 5
/** By then the runtime has begun to store the events of a frame: asking sooner would make it store each by itself. */
const STORED_MS = 20
const LOGIN_AGAIN_MS = 2000

/**
 * `sandbox` is the service's address; without one the game plays on, and its events wait. `place` is where the count is kept.
 * `tell` gets every message for the panel, `onPlayer` hears when who plays, or what they are offered, has changed.
 */
export async function createRuntime({ sandbox, place, tell, onPlayer }) {
  const settings = {
    baseUrl: sandbox ?? 'http://127.0.0.1:4010',
    apiKey: 'dev-key',
    signer: developmentSigner({ secret: 'dev-secret' }),
  }
  const run = restore() ?? { device: await chooseDevice(), tracked: 0 }
  keep()
  let stored = run.tracked
  let storing = false
  let ended = false

  const player = createPlayerData({ ...settings, deviceId: run.device })
  player.on('session', onPlayer)
  player.on('store', onPlayer)
  player.on('status', onPlayer)
  player.on('state', (state) => tell({ kind: 'state', state }))
  player.on('request', (news) => tell({ kind: 'request', ...news }))
  player.on('error', ({ code, message }) => tell({ kind: 'error', code, message }))
  player.on('dropped', ({ reason, events }) => tell({ kind: 'dropped', reason, count: events.length }))
  player.on('delivered', ({ events }) => tell({ kind: 'delivered', count: events }))

  function restore() {
    try {
      return JSON.parse(localStorage.getItem(place))
    } catch {
      return null
    }
  }

  function keep() {
    try {
      localStorage.setItem(place, JSON.stringify(run))
    } catch {
      // No storage: the count lives as long as the page.
    }
  }

  async function chooseDevice() {
    let device
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      device = `demo-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`
      if (!sandbox) break
      const trial = createPlayerData({ ...settings, deviceId: device, tokens: 'memory', timeoutMs: 3000 })
      const skus = await trial.login().then(
        () => trial.store.activeSkus.length,
        () => ENOUGH_SKUS,
      )
      await trial.close()
      if (skus >= ENOUGH_SKUS) break
    }
    return device
  }

  /** Learns when what was tracked is stored: the little that a killed tab may take with it is what is not. */
  function watchStored() {
    if (storing) return
    storing = true
    setTimeout(async () => {
      storing = false
      const upTo = run.tracked
      await player.persisted()
      stored = upTo
    }, STORED_MS)
  }

  async function logIn() {
    for (let wait = LOGIN_AGAIN_MS; !ended; wait = Math.min(wait * 2, 30_000)) {
      try {
        return await player.login()
      } catch ({ code, message }) {
        tell({ kind: 'error', code, message })
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  }

  /** All that the panel reckons with, as of one and the same moment. */
  function report() {
    const { session } = player
    return { ...player.stats(), device: run.device, tracked: run.tracked, stored, userId: session?.userId, expiresAt: session?.expiresAt }
  }

  return {
    player,
    report,
    logIn: () => sandbox && logIn(),
    track(type, payload = {}, options) {
      if (ended) return
      player.track(type, { ...payload, n: run.tracked + 1 }, options)
      run.tracked += 1
      keep()
      tell({ kind: 'tracked', report: report() })
      watchStored()
    },
    /** Ends this player for good: what waits is given up, and the next start is somebody else. */
    async leave() {
      ended = true
      player.setConsent('denied')
      await Promise.race([new Promise((resolve) => player.on('dropped', resolve)), new Promise((resolve) => setTimeout(resolve, 300))])
      await player.close()
      localStorage.removeItem(place)
    },
  }
}
