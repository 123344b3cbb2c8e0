// The game's side of the bare JavaScriptCore host: what a game supplies to the player where there is nothing but the language. Every line
// in is a message of the native side (a frame, a script, an answer), every line out is one to it; both are JSON in ASCII, since the shell
// reads bytes.
// biome-ignore-all lint: ES5 on purpose, in the manner of the agent

var native = (function (readLine, printLine, runMicrotasks) {
  var answers = {}
  var asked = 0
  var randomBytes = []
  function tell(message) {
    printLine(
      JSON.stringify(message).replace(/[^ -~]/g, function (unit) {
        return '\\u' + ('000' + unit.charCodeAt(0).toString(16)).slice(-4)
      }),
    )
  }
  function ask(name, args) {
    asked += 1
    var id = asked
    tell({ ask: name, id: id, args: args })
    return new Promise(function (resolve, reject) {
      answers[id] = { resolve: resolve, reject: reject }
    })
  }
  function hear(message) {
    if (message.random) randomBytes = message.random
    if (message.answer) {
      if (message.error) answers[message.answer].reject(new Error(message.error))
      else answers[message.answer].resolve(message.value)
      delete answers[message.answer]
    }
    if (message.script) {
      globalThis.eval(message.script).then(function (text) {
        tell({ done: message.id, text: text })
      })
    }
    agent.tick()
  }
  return {
    ask: ask,
    random: function (count) {
      if (randomBytes.length < count) throw new Error('The native side has given too few random bytes.')
      return new Uint8Array(randomBytes.splice(0, count))
    },
    run: function () {
      for (var line = readLine(); line; line = readLine()) {
        hear(JSON.parse(line))
        runMicrotasks()
      }
    },
  }
})(readline, print, drainMicrotasks)

var platform = {
  http: function (request) {
    return native.ask('http', [request])
  },
  storage: {
    get: function (keys) {
      return native.ask('get', [keys]).then(function (values) {
        return values.map(function (value) {
          return value === null ? undefined : value
        })
      })
    },
    write: function (change) {
      return native.ask('write', [change])
    },
    keys: function (prefix) {
      return native.ask('keys', [prefix])
    },
  },
  now: Date.now,
  random: native.random,
}

// The shell's own extras, which the language has not and an app's VM has not either.
delete globalThis.setTimeout
delete globalThis.console
