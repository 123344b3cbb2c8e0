// The game in Node: node.cjs FRAMEWORK STORE. A line in is a request of the journey, a line out that starts with @ is its reply.

const { createInterface } = require('node:readline')
const { createAgent } = require('./game.cjs')
const { fileStorage } = require('./storage.cjs')

const [framework, store] = process.argv.slice(2)
globalThis.localStorage = fileStorage(store)
const agent = createAgent(require(framework))
createInterface({ input: process.stdin }).on('line', async (request) => process.stdout.write(`@${await agent.call(request)}\n`))
