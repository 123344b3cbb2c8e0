// The floor without durability: a hundred events a POST, from memory, one request at a time, tried again after five seconds.

import { eventOf } from './event.js'

let address = ''
let waiting = []
let busy = false
let timer = 0

async function send() {
  timer = 0
  if (busy) return
  busy = true
  try {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, 100)
      const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: `[${batch.join()}]` })
      if (!reply.ok) throw new Error(reply.statusText)
      waiting = waiting.slice(batch.length)
    }
  } catch {
    timer = setTimeout(send, 5000)
  }
  busy = false
}

window.bench = {
  start(url) {
    address = `${url}/v1/events`
  },
  track(id) {
    waiting.push(JSON.stringify(eventOf(id)))
    if (!busy && !timer) timer = setTimeout(send, 16)
  },
}
