// A live player: the shipped bundle, dist/player-data.js, against the sandbox that runs beside this page.

const { createPlayerData, developmentSigner, isPlayerDataError, version } = window.PlayerData

const element = (id) => document.getElementById(id)
const devices = ['tablet-of-ada', 'phone-of-ben', 'laptop-of-cleo', 'phone-of-dan', 'console-of-eve', 'phone-of-finn']
const usual = 'http://127.0.0.1:4010'
let device = 0
let player
let baseUrl

element('next').onclick = () => {
  device = (device + 1) % devices.length
  return show(logIn)
}
element('refetch').onclick = () => show(() => Promise.all([player.fetchStatus(), player.fetchStore()]))
element('connect').onclick = () => {
  baseUrl = usual
  return show(logIn)
}
start()

async function start() {
  const response = await fetch('sandbox.json').catch(() => undefined)
  baseUrl = response?.ok ? (await response.json()).url : undefined
  if (baseUrl) return show(logIn)
  // A static server has no sandbox; a request that must fail would only fill the console.
  element('state').textContent = 'No sandbox runs beside this page. Start one: npx player-data sandbox'
  element('connect').hidden = false
}

async function logIn() {
  player = createPlayerData({
    baseUrl,
    apiKey: 'dev-key',
    signer: developmentSigner({ secret: 'dev-secret' }),
    deviceId: devices[device],
  })
  await player.login()
}

/** Runs one step and draws what the player is then, or says what went wrong. */
async function show(step) {
  const buttons = [element('next'), element('refetch')]
  for (const button of buttons) button.disabled = true
  try {
    await step()
    draw()
    for (const button of buttons) button.hidden = button.disabled = false
    element('connect').hidden = true
  } catch (error) {
    element('state').textContent = isPlayerDataError(error) ? error.message : String(error)
    element('state').className = 'error'
    element('connect').hidden = baseUrl !== usual
  }
}

function draw() {
  const { session, status, store } = player
  element('state').textContent = status.isPayer.value ? 'A paying player' : 'A player who has not paid yet'
  element('state').className = status.isPayer.value ? 'payer' : ''
  const facts = { Player: session.userId, Device: session.deviceId, Game: session.gameId, Studio: session.tenantId, Runtime: version }
  element('session').replaceChildren(...Object.entries(facts).flatMap(([term, text]) => [tag('dt', term), tag('dd', text)]))
  element('session').hidden = false
  element('store').replaceChildren(
    ...(store.activeSkus.length > 0 ? store.activeSkus.map(drawSku) : [tag('li', 'Nothing is for sale to this player today.')]),
  )
}

function drawSku({ name, description, actualPrice, offerPrice, currency }) {
  const price = (amount) => new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
  const item = tag('li')
  const prices = tag('p')
  if (offerPrice < actualPrice) prices.append(tag('s', price(actualPrice)), ' ')
  prices.append(tag('strong', price(offerPrice)))
  item.append(tag('h3', name), tag('p', description), prices)
  return item
}

function tag(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
