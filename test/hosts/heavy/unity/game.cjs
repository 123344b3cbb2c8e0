// Loads the linked game and speaks to its C functions. Runs in a page and in Node alike.

/** Starts a game, and gives the functions that call into it. `hear` is told all that the plug-ins say: `(player, call, json)`. */
function openGame(framework, hear) {
  return framework({ print: (line) => console.log(line), printErr: (line) => console.error(line) }).then((module) => {
    const create = module.cwrap('game_create', null, ['number', 'number', 'string'])
    const call = module.cwrap('game_call', null, ['number', 'number', 'string', 'string'])
    const next = module.cwrap('game_next', 'string', [])
    /** What has arrived since. A game would do this in its frame. */
    const pump = () => {
      for (let text = next(); text; text = next()) {
        const [, player, number, json] = /^(\d+) (\d+) (.*)$/s.exec(text)
        hear(Number(player), Number(number), json)
      }
    }
    const timer = setInterval(pump, 4)
    return { create, call, pump, used: module.cwrap('game_used', 'number', []), stop: () => clearInterval(timer) }
  })
}

/** What the journey speaks to: `call` takes and resolves with JSON, as the agent of the other hosts. */
function createAgent(framework) {
  const waiting = new Map()
  let calls = 0
  const opened = openGame(framework, (_player, call, json) => {
    const { name, event, ...answer } = JSON.parse(json)
    if (call) waiting.get(call)(answer)
    else if (name === 'error') console.log(`[${event.code}] ${event.message}`)
  })
  return {
    async call(request) {
      const game = await opened
      const { name, args } = JSON.parse(request)
      calls += 1
      const answered = new Promise((resolve) => waiting.set(calls, resolve))
      if (name === 'create') {
        const { secret, ...options } = args[0]
        game.create(1, calls, JSON.stringify({ ...options, signer: { kind: 'development', secret } }))
      } else {
        game.call(1, calls, name, JSON.stringify(args))
      }
      const { value, error } = await answered
      return JSON.stringify(error ? { error: `${error.code}: ${error.message}` } : { value })
    },
  }
}

if (typeof module === 'object') module.exports = { openGame, createAgent }
