// The floor with durability: one put for a hundred events (or what a frame brought), relaxed; sent from the store, oldest first;
// deleted after a 2xx; what an earlier start left goes out at the next.

import { eventOf } from './event.js'

let address = ''
let store
let tail = []
let commitTimer = 0
let retryTimer = 0
let busy = false

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
const open = (mode) => store.transaction('segments', mode, { durability: 'relaxed' }).objectStore('segments')

function commit() {
  clearTimeout(commitTimer)
  commitTimer = 0
  if (tail.length === 0) return
  open('readwrite').put(tail.join())
  tail = []
  if (!retryTimer) send()
}

async function send() {
  retryTimer = 0
  if (busy) return
  busy = true
  try {
    for (;;) {
      const cursor = await done(open('readonly').openCursor())
      if (!cursor) break
      const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: `[${cursor.value}]` })
      if (!reply.ok) throw new Error(reply.statusText)
      open('readwrite').delete(cursor.key)
    }
  } catch {
    retryTimer = setTimeout(send, 5000)
  }
  busy = false
}

window.bench = {
  async start(url) {
    address = `${url}/v1/events`
    const request = indexedDB.open('ref', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('segments', { autoIncrement: true })
    store = await done(request)
    send()
  },
  track(id) {
    tail.push(JSON.stringify(eventOf(id)))
    if (tail.length === 100) commit()
    else if (!commitTimer) commitTimer = setTimeout(commit, 16)
  },
}
