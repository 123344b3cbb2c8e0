// The panel beside the game: turns the switches, keeps the books, draws them, and holds the frame in which the game lives and dies.

import { CALLS, SWITCHES } from './faults.js'
import { createFlow } from './flow.js'
import { createSandboxClient, findSandbox } from './sandbox.js'
import { createTally } from './tally.js'

const element = (id) => document.getElementById(id)
const POLL_MS = 600
/** While the sandbox does not answer, each look costs an error in the browser's console: look less and less often. */
const MOST_POLL_MS = 20_000
const ANSWER_MS = 1500
const MOST_LOGGED = 7
/** How long a closed tab stays closed. */
const CLOSED_MS = 900

const url = await findSandbox()
const sandbox = url && createSandboxClient(url)
const place = await takePlace()
const tally = createTally(place)
const quiet = window.matchMedia('(prefers-reduced-motion: reduce)')
const flow = createFlow({ canvas: element('flow'), calm: () => quiet.matches })

let frame
let life
let answer = () => {}
let isBlind = false
let isAutopilot = false
let isAlive = false
let waited = POLL_MS
let timer
let isLooking = false
let isWanted = false
let turns = 0
/** What is being looked out for in the replies, to be said when it comes. */
let awaited
const active = new Set()

/** Two pages with one count would each lack the other's events: every page holds a count of its own, as long as it is open. */
async function takePlace() {
  for (let slot = 1; ; slot += 1) {
    const name = `comet-post ${slot} ${url ?? ''}`
    const isMine = await new Promise((resolve) => {
      if (!navigator.locks) return resolve(true)
      // A page that is being reloaded lets go a moment late.
      navigator.locks
        .request(name, { signal: AbortSignal.timeout(400) }, () => {
          resolve(true)
          return new Promise(() => {})
        })
        .catch(() => resolve(false))
    })
    if (isMine) return name
  }
}

function open() {
  life = tally.begin()
  const given = new URLSearchParams({ place, life, ...(url && { sandbox: url }) })
  frame = document.createElement('iframe')
  frame.title = 'Comet Post, the game'
  frame.src = `game.html#${given}`
  element('grave').hidden = true
  element('stage').prepend(frame)
  isAlive = true
  // Space is to play at once, unless someone is at the panel by keyboard.
  frame.addEventListener('load', () => document.activeElement === document.body && play(), { once: true })
}

/** The keyboard goes to the game. */
function play() {
  frame?.contentWindow?.focus()
}

function bury(epitaph, report) {
  frame.remove()
  frame = undefined
  isAlive = false
  tally.end(report)
  element('epitaph').textContent = epitaph
  element('grave').hidden = false
  draw()
}

const order = (what, more = {}) => frame?.contentWindow?.postMessage({ order: what, ...more }, location.origin)

/** The game's numbers of this moment; undefined where it does not answer. */
function ask() {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, ANSWER_MS)
    answer = (report) => {
      clearTimeout(late)
      resolve(report)
    }
    order('ask')
  })
}

const messages = {
  hello({ report }) {
    order('autopilot', { on: isAutopilot })
    messages.report({ report })
    look()
  },
  report({ report }) {
    if (tally.report(report, life, performance.now())) draw()
    answer(report)
    drawFacts(report)
  },
  tracked({ report }) {
    flow.run('tracked', 1)
    if (tally.report(report, life, performance.now())) draw()
  },
  delivered({ count }) {
    flow.run('delivered', count)
    look()
  },
  dropped({ reason, count }) {
    flow.run('dropped', count)
    log('dropped', `${count} dropped: ${reason}`, 'bad')
    look()
  },
  request({ method, path, status, durationMs }) {
    const isTaken = path === '/v1/events' && status >= 200 && status < 300 && !active.has('portal')
    const tone = isTaken ? 'good' : status === 0 || status >= 400 || active.has('portal') ? 'warn' : ''
    log(status || 'no reply', `${method} ${path}`, tone, `${Math.round(durationMs)} ms`)
    if (awaited?.status !== status || !awaited.seen) return
    say(awaited.seen)
    awaited = undefined
  },
  error({ code, message }) {
    log(code, message, 'bad')
  },
  state({ state }) {
    log(state, { online: 'The player is logged in.', offline: 'The session goes on offline.' }[state] ?? 'Nobody is logged in.', '')
    look()
  },
  left() {
    tally.reset()
    frame.remove()
    open()
  },
}

window.addEventListener('message', ({ data, origin }) => {
  // Of a life that is over nothing counts any more: its last numbers were taken when it ended.
  if (origin === location.origin && isAlive && data?.life === life && Object.hasOwn(messages, data.kind)) messages[data.kind](data)
})

/** Looks at both ends at once, or as good as: what was delivered during the look makes it worthless, and the next one will do. */
async function look() {
  clearTimeout(timer)
  if (isLooking) {
    isWanted = true
    return
  }
  isLooking = true
  isWanted = false
  const [began, wasAlive, turned] = [life, isAlive, turns]
  try {
    const before = wasAlive && (await ask())
    const state = sandbox && (await sandbox.look())
    const after = wasAlive && (await ask())
    waited = POLL_MS
    isBlind = false
    const isSame = life === began && wasAlive === isAlive && before?.delivered === after?.delivered && (!wasAlive || after)
    // What was turned during the look, the look may not have seen.
    if (state && turns === turned) for (const entry of SWITCHES) mark(entry, sandbox.isOn(state, entry))
    if (state && isSame && tally.userId) tally.receive(state.stats.players[tally.userId] ?? { distinct: 0, duplicates: 0 }, after)
  } catch {
    isBlind = true
    waited = Math.min(waited * 2, MOST_POLL_MS)
  }
  isLooking = false
  draw()
  timer = setTimeout(look, isWanted ? 0 : document.hidden ? MOST_POLL_MS : waited)
}

function verdictOf({ tracked, waiting, lost, atRisk, gap, isLooking, isAlive: isKnown }) {
  if (isAlive && !isKnown) return ['wait', 'Opening…']
  if (!isAlive) {
    const perhaps = atRisk > 0 ? `, and perhaps ${atRisk} more that it had just tracked` : ''
    return ['wait', `Nobody is there to send: ${waiting - atRisk} on the disk${perhaps}.`]
  }
  if (isBlind) return ['wait', 'The sandbox does not answer, so nobody can tell what it has.']
  if (gap < 0) return ['wait', `${-gap} on the disk have arrived already; their receipt is yet to be read.`]
  if (isLooking) return ['wait', `Looking for ${gap} that the last tab has left…`]
  if (gap > 0) return ['open', `The sum does not close: ${gap} missing.`]
  const rest = lost > 0 ? ` ${lost} went with a killed tab before being stored.` : ''
  return ['closed', `The sum closes: all ${tracked} accounted for.${rest}`]
}

function draw() {
  const sum = tally.sum(performance.now())
  for (const name of ['tracked', 'delivered', 'waiting', 'dropped', 'lost']) element(name).textContent = sum[name]
  element('lost').parentElement.hidden = sum.lost === 0
  const [kind, text] = verdictOf(sum)
  const verdict = element('verdict')
  // Read out when it is another one, not at every event.
  if (verdict.dataset.verdict !== kind) element('said').textContent = text
  verdict.dataset.verdict = kind
  verdict.textContent = text
  element('flow').setAttribute(
    'aria-label',
    `${sum.tracked} tracked, ${sum.delivered} delivered, ${sum.waiting} waiting, ${sum.dropped} dropped, ${sum.duplicates} arrived twice`,
  )
  const pipe = SWITCHES.find(({ id, pipe }) => pipe && active.has(id))?.pipe
  flow.show(sum, { pipe: sandbox ? (pipe ?? 'open') : 'cut', isAlive: sum.isAlive })
  for (const id of ['kill', 'close', 'flush', 'another']) element(id).disabled = !isAlive
}

function drawFacts({ userId, state, clockOffsetMs, expiresAt, durability, resent }) {
  const minutes = Math.round(clockOffsetMs / 60_000)
  const facts = [
    userId ?? 'nobody logged in',
    state,
    expiresAt && `token good for ${Math.max(0, Math.round((expiresAt - Date.now()) / 60_000))} min`,
    minutes !== 0 && `clock put right by ${minutes} min`,
    `kept on: ${durability}`,
    resent > 0 && `${resent} sent again`,
  ]
  element('facts').textContent = facts.filter(Boolean).join(' · ')
}

function log(badge, text, tone, aside = '') {
  const row = tag('li')
  const mark = tag('b', badge)
  if (tone) mark.className = tone
  row.append(mark, tag('span', text), tag('small', aside))
  const list = element('log')
  list.prepend(row)
  while (list.children.length > MOST_LOGGED) list.lastChild.remove()
}

function say(text) {
  element('line').textContent = text
}

function tag(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function mark({ id }, on) {
  if (on) active.add(id)
  else active.delete(id)
  element(`switch-${id}`).setAttribute('aria-checked', String(on))
}

async function turn(entry) {
  const on = !active.has(entry.id)
  turns += 1
  mark(entry, on)
  say(on ? entry.on : entry.off)
  awaited = on ? entry : undefined
  await sandbox.turn(entry, on).catch(() => say('The sandbox does not answer.'))
  turns += 1
  // What a browser tells its pages when the network is back. A service that is up again nobody tells of.
  if (entry.id === 'offline' && !on) order('online')
  look()
}

async function act(entry) {
  say(entry.on)
  awaited = entry
  await sandbox.run(entry).catch(() => say('The sandbox does not answer.'))
}

function control({ id, name, hint }, role, run) {
  const button = tag('button')
  button.id = `${role ? 'switch' : 'act'}-${id}`
  button.type = 'button'
  button.append(tag('span', name))
  if (hint) button.append(tag('small', hint))
  if (role) {
    button.setAttribute('role', role)
    button.setAttribute('aria-checked', 'false')
  }
  button.onclick = run
  button.disabled = !sandbox
  return button
}

/** As when the system kills a tab: no event tells it, nothing in it runs any more. */
function kill() {
  const report = frame.contentWindow.playDead?.()
  bury('The tab is dead.', report)
  say('Killed between two frames, without a word. What was stored is on the disk, and nobody is there to send it.')
  element('reopen').focus()
}

/** As when a player closes a tab: it hears that it goes, and has no time for anything. */
async function close() {
  const leaving = frame
  isAlive = false
  draw()
  await new Promise((resolve) => {
    leaving.addEventListener('load', resolve, { once: true })
    leaving.contentWindow.location.replace('about:blank')
  })
  bury('Closed, and back in a second.')
  element('reopen').hidden = true
  await new Promise((resolve) => setTimeout(resolve, CLOSED_MS))
  element('reopen').hidden = false
  open()
  say('Closed, and open again. The new tab takes over what the old one had on the disk.')
}

// A switch that was clicked by a pointer gives the keyboard back: else Space, meant for the game, would turn it again.
element('panel').addEventListener('click', ({ detail }) => detail > 0 && play())
element('kill').onclick = kill
element('close').onclick = close
element('reopen').onclick = () => {
  const { waiting } = tally.sum(performance.now())
  open()
  const found =
    waiting === 0
      ? 'Nothing was left on the disk.'
      : `It finds ${waiting === 1 ? '1 event' : `${waiting} events`} of the dead one on the disk`
  const isCut = document.querySelector('[role="switch"][aria-checked="true"]:not(#autopilot)') !== null
  say(`A new tab, same player. ${found}${waiting === 0 ? '' : isCut ? ', and sends them as soon as it can.' : ' and sends them.'}`)
  element('kill').focus()
}
element('autopilot').onclick = () => {
  isAutopilot = !isAutopilot
  element('autopilot').setAttribute('aria-checked', String(isAutopilot))
  order('autopilot', { on: isAutopilot })
}
element('flush').onclick = () => order('flush')
element('another').onclick = () => {
  order('leave')
  say('Somebody else plays now, with a store of their own. The books start anew.')
}
element('switches').prepend(
  ...SWITCHES.map((entry) => control(entry, 'switch', () => turn(entry))),
  ...CALLS.map((entry) => control(entry, '', () => act(entry))),
)
if (!sandbox)
  say('There is no sandbox here to break. Run `npm start` in the project and open the address it prints; until then, events wait.')
document.addEventListener('visibilitychange', () => document.hidden || look())
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', flow.measure)
new MutationObserver(flow.measure).observe(document.documentElement, { attributeFilter: ['data-theme'] })

open()
look()
