// Comet Post: wires the world, what is seen and heard of it, and the runtime together. It runs in a frame of its own, so that the panel
// around it can take it away at any moment. The frame's address says after the `#`: sandbox, place of the count, and which life this is.

import { ADS } from './ads.js'
import { createPainter, hueOf } from './draw.js'
import { createEffects } from './effects.js'
import { createRuntime } from './runtime.js'
import { createSound } from './sound.js'
import { createWorld } from './world.js'

const element = (id) => document.getElementById(id)
const given = new URLSearchParams(location.hash.slice(1))
const life = given.get('life') ?? ''
const quiet = window.matchMedia('(prefers-reduced-motion: reduce)')
const calm = () => quiet.matches
/** The longest step of the world: after a stall it goes on, it does not jump. */
const LONGEST_STEP = 1 / 30
const LEVELS_PER_AD = 2
const FADE_S = 1.2
/** How soon the autopilot leaps once it is on target, in seconds, and how often it is careless. */
const AUTOPILOT = { least: 0.02, most: 0.16, careless: 0.06 }

/** A killed tab hears nothing: a listener that is there before the runtime's own can keep it from them. */
let isKilled = false
const keepQuiet = (event) => isKilled && event.stopImmediatePropagation()
for (const type of ['pagehide', 'visibilitychange', 'unload']) {
  window.addEventListener(type, keepQuiet, true)
  document.addEventListener(type, keepQuiet, true)
}

const tell = (message) => window.parent !== window && window.parent.postMessage({ ...message, life }, location.origin)
let runtime
const track = (type, payload, options) => runtime?.track(type, payload, options)

const sound = createSound()
const effects = createEffects({ random: Math.random, calm })
const world = createWorld({ random: Math.random, tell: onNews })
const painter = createPainter({ canvas: element('canvas'), world, effects, random: Math.random, calm })

/** Which card covers the game, if any. The world stands still below `paused`, `ad` and `store`. */
let card = 'title'
let isAutopilot = false
let leapIn
let ads = 0
let frame = 0
let last = 0

const reactions = {
  start() {
    painter.cut()
    track('Run_Start')
  },
  launch({ x, y, aimed }) {
    effects.burst(x, y, 46, 6, 90)
    track('Leap', { level: world.level, aimed })
  },
  flare({ x, y }) {
    effects.burst(x, y, 8, 24, 220)
    effects.shake(5)
    track('Star_Flared', { level: world.level })
  },
  hop({ x, y, points, smooth, skipped, combo }) {
    const hue = hueOf(world.stars[world.at].level)
    effects.burst(x, y, hue, 16 + combo * 2, 190)
    effects.burst(world.comet.x, world.comet.y, 46, 8, 120)
    effects.ripple(x, y, hue, 90 + combo * 6)
    effects.punch(0.018 + combo * 0.003)
    effects.shake(1.5)
    const praise = skipped > 0 ? 'Long shot! ' : smooth ? 'Smooth! ' : ''
    effects.say(x, y - 34, `${praise}+${points}`, smooth || skipped ? 48 : hue, smooth || skipped ? 23 : 19)
    if (combo > 2) effects.say(x, y - 62, `×${combo}`, 48, 16)
    track('Hop', { level: world.level, points, combo, smooth })
  },
  dust({ x, y }) {
    effects.burst(x, y, 48, 6, 70)
    track('Dust', { level: world.level })
  },
  letter({ x, y }) {
    effects.burst(x, y, 40, 14, 140)
    effects.ripple(x, y, 40, 50)
    effects.say(x, y - 14, 'Letter +5', 40, 16)
    track('Letter', { level: world.level })
  },
  miss({ x, y, hearts }) {
    effects.burst(x, y, 8, 30, 240)
    effects.shake(11)
    effects.flash(0.34)
    painter.cut()
    track('Miss', { level: world.level, hearts })
  },
  level({ x, y, level }) {
    effects.ripple(x, y, hueOf(level), 230)
    effects.burst(x, y, hueOf(level), 40, 320)
    effects.say(x, y + 76, `Level ${level}`, 48, 34)
    element('said').textContent = `Level ${level}`
    track('Level_Up', { level })
    const isPayer = runtime?.player.status?.isPayer.value === true
    if (!isPayer && level % LEVELS_PER_AD === 1) setTimeout(showAd, 900)
  },
  over({ score, level, hops, seconds }) {
    track('Run_End', { score, level, hops, seconds })
    element('result').textContent = `${score} points, level ${level}. Best today: ${world.best}.`
    element('result').hidden = false
    element('lead').hidden = true
    element('name').textContent = 'Lost in space'
    element('play').textContent = 'Play again'
    showCard('title')
    setTimeout(showAd, 700)
  },
}

function onNews(what, facts) {
  sound.play(what, facts.combo)
  reactions[what](facts)
  drawFacts()
}

function drawFacts() {
  const { score, level, hearts } = world
  element('score').textContent = score
  element('level').textContent = `Level ${level}`
  element('hearts').textContent = '♥'.repeat(hearts) + '♡'.repeat(3 - hearts)
  element('hearts').setAttribute('aria-label', `${hearts} lives left`)
}

function showCard(next) {
  card = next
  for (const id of ['title', 'paused', 'ad', 'store']) element(id).hidden = id !== next
  element('facts').hidden = next === 'title' && world.mode !== 'over'
  element('pause').hidden = next !== ''
  element('hud').hidden = next === 'ad' || next === 'store'
  const first = { title: 'play', paused: 'resume', ad: 'ad-close', store: 'store' }[next]
  // A frame that takes the focus from the panel around it would be a nuisance.
  if (document.hasFocus()) element(first ?? 'sky').focus()
}

function start() {
  if (!runtime) return // a moment later everything that happens is tracked
  if (world.mode === 'over') painter.cut()
  world.start()
  showCard('')
}

function pause(why) {
  if (card !== '') return
  showCard('paused')
  track('Game_Paused', { why })
}

function goOn() {
  showCard('')
  track('Game_Resumed')
}

function showAd() {
  if ((card !== '' && card !== 'title') || document.hidden) return
  const { adId, campaignId, name, line, look } = ADS[ads % ADS.length]
  ads += 1
  element('ad-name').textContent = name
  element('ad-line').textContent = line
  element('ad-art').className = look
  showCard('ad')
  track('Ad_Impression', { adId, campaignId })
}

/** Back to where the ad or the store came up. */
function uncover() {
  showCard(world.mode === 'play' ? '' : 'title')
}

function openStore() {
  element('bought').textContent = ''
  drawStore()
  showCard('store')
  track('Store_Opened', { skus: runtime?.player.store?.activeSkus.length ?? 0 })
}

function drawStore() {
  const { status, store } = runtime?.player ?? {}
  element('payer').textContent = status
    ? status.isPayer.value
      ? 'You have paid before: no ads between levels.'
      : 'You have not paid yet.'
    : ''
  const skus = store?.activeSkus ?? []
  const none = store ? 'Nothing is for sale to you today.' : 'The store opens once you are logged in.'
  element('skus').replaceChildren(...(skus.length > 0 ? skus.map(drawSku) : [tag('li', none)]))
}

function drawSku({ skuId, name, description, actualPrice, offerPrice, currency }) {
  const price = (amount) => new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
  const words = tag('div')
  words.append(tag('h3', name), tag('p', description))
  const buy = tag('button')
  buy.type = 'button'
  buy.append(unseen(`Buy ${name}`))
  if (offerPrice < actualPrice) {
    words.append(tag('span', `−${Math.round((1 - offerPrice / actualPrice) * 100)} %`))
    buy.append(unseen(', instead of '), tag('s', price(actualPrice)))
  }
  buy.append(unseen(' for '), tag('strong', price(offerPrice)))
  buy.onclick = () => {
    element('bought').textContent = `${name}: nothing is charged here, and the click is tracked.`
    track('Purchase_Clicked', { skuId, price: offerPrice, currency }, { priority: 'critical' })
  }
  const item = tag('li')
  item.append(words, buy)
  return item
}

function tag(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** For those who listen to the page. */
function unseen(text) {
  const made = tag('span', text)
  made.className = 'unseen'
  return made
}

function drawWho() {
  const { session, status } = runtime.player
  const paid = status?.isPayer.value ? 'a payer' : 'no payer yet'
  const facts = session ? [session.userId, paid, session.offline && 'offline'] : ['Nobody is logged in, and the game goes on.']
  element('who').textContent = facts.filter(Boolean).join(' · ')
  if (card === 'store') drawStore()
}

/** Plays as a person would, so that hands are free for the switches. */
function autopilot(dt) {
  if (card === 'title' && world.mode !== 'play') return start()
  if (card !== '') return uncover()
  if (world.comet.flying) leapIn = undefined
  else if (leapIn === undefined) {
    if (world.isAimed() || Math.random() < AUTOPILOT.careless * dt)
      leapIn = AUTOPILOT.least + Math.random() * (AUTOPILOT.most - AUTOPILOT.least)
  } else {
    leapIn -= dt
    if (leapIn <= 0) world.leap()
  }
}

let idleFor = 0
let stillFor = 0
function draw(now) {
  frame = requestAnimationFrame(draw)
  const dt = Math.min(LONGEST_STEP, (now - last) / 1000)
  last = now
  if (isAutopilot) {
    // A card stays long enough to be read.
    idleFor = card === '' ? 0 : idleFor + dt
    if (card === '' || idleFor > 1.4) autopilot(dt)
  }
  const isStill = card === 'paused' || card === 'ad' || card === 'store'
  stillFor = isStill ? stillFor + dt : 0
  // Below a card the last sparks fade, and then nothing moves: to paint that again would only drain a battery.
  if (stillFor > FADE_S) return
  if (!isStill) world.step(dt)
  if (!isStill && Math.random() < (world.comet.flying ? 0.6 : 0.25)) effects.trail(world.comet.x, world.comet.y, 46)
  effects.step(dt)
  painter.draw(dt)
}

function wake() {
  cancelAnimationFrame(frame)
  if (document.hidden) return pause('hidden')
  last = performance.now()
  frame = requestAnimationFrame(draw)
}

element('sky').addEventListener('pointerdown', (event) => {
  event.preventDefault()
  element('sky').focus()
  if (card === '') world.leap()
})
window.addEventListener('keydown', (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape' && (card === 'ad' || card === 'store')) uncover()
  else if (event.key === 'p' || event.key === 'Escape') card === 'paused' ? goOn() : pause('key')
  else if (
    (event.key === ' ' || event.key === 'ArrowUp' || event.key === 'Enter') &&
    (event.target === element('sky') || event.target.localName !== 'button')
  ) {
    event.preventDefault()
    if (card === '') world.leap()
    else if (card === 'title') start()
  }
})
element('play').onclick = start
element('resume').onclick = goOn
element('pause').onclick = () => pause('button')
element('ad-close').onclick = () => {
  track('Ad_Closed', { adId: ADS[(ads - 1) % ADS.length].adId })
  uncover()
}
element('store-open').onclick = openStore
element('store-close').onclick = uncover
element('sound').onclick = () => {
  sound.toggle()
  element('sound').setAttribute('aria-checked', String(sound.isOn))
  track('Sound_Switched', { on: sound.isOn })
}
window.addEventListener('resize', () => {
  painter.measure()
  stillFor = 0
})
document.addEventListener('visibilitychange', wake)
drawFacts()
showCard('title')
wake()

runtime = await createRuntime({
  sandbox: given.get('sandbox') ?? undefined,
  place: given.get('place') ?? 'comet-post',
  tell,
  onPlayer: () => runtime && drawWho(),
})

const orders = {
  ask: () => tell({ kind: 'report', report: runtime.report() }),
  flush: () => runtime.player.flush(),
  online: () => window.dispatchEvent(new Event('online')),
  autopilot({ on }) {
    isAutopilot = on
  },
  async leave() {
    await runtime.leave()
    tell({ kind: 'left' })
  },
}
window.addEventListener('message', ({ data, source, origin }) => {
  if (source === window.parent && origin === location.origin && Object.hasOwn(orders, data?.order)) orders[data.order](data)
})

/** The tab is about to be killed, and nothing in it may hear of it. What it says here is for the panel's books alone. */
window.playDead = () => {
  isKilled = true
  return runtime.report()
}

element('play').disabled = false
element('play').textContent = 'Play'
tell({ kind: 'hello', report: runtime.report() })
track('Game_Start', { life })
if (given.get('sandbox')) await runtime.logIn()
drawWho()
