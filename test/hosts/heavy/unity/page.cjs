// The page of a C# program: page.cjs FRAMEWORK STORE SOCKET. Takes calls over the socket that native.c connects to, makes them on the
// linked game, and sends back what it hears.

const { createServer } = require('node:net')
const { openGame } = require('./game.cjs')
const { fileStorage } = require('./storage.cjs')

const [framework, store, path] = process.argv.slice(2)
globalThis.localStorage = fileStorage(store)

const server = createServer(async (socket) => {
  const say = (...numbers) => socket.write(Buffer.from(Int32Array.from(numbers).buffer))
  let unread = Buffer.alloc(0)
  let calls = 0
  const chunks = []
  socket.on('data', (data) => chunks.push(data))
  const game = await openGame(require(framework), (player, call, json) => {
    const bytes = Buffer.from(json)
    say(player, call, bytes.length)
    socket.write(bytes)
  })
  const read = () => {
    unread = Buffer.concat([unread, ...chunks.splice(0)])
    while (unread.length >= 16) {
      const [player, call, nameBytes, argsBytes] = [0, 4, 8, 12].map((at) => unread.readInt32LE(at))
      const end = 16 + nameBytes + argsBytes
      if (unread.length < end) return
      const name = unread.toString('utf8', 16, 16 + nameBytes)
      const args = unread.toString('utf8', 16 + nameBytes, end)
      unread = unread.subarray(end)
      if (name === 'create') game.create(player, call, args)
      else game.call(player, call, name, args)
      game.pump()
      calls += 1
      say(calls, -1, 0)
    }
  }
  socket.on('data', read)
  read()
})
server.listen(path, () => console.log('the page is open'))
