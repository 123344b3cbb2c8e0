// Between C# and the runtime, which PlayerData.jspre brings as PlayerDataRuntime. Everything crosses as JSON in UTF-8, and everything that
// goes back goes through the one function pointer that C# gives at Create: `(player, call, json, length)`. `call` is the number that C#
// gave the call, or 0 for what nobody asked for: `{ name, event }`. An answer is `{ value }` or `{ error }`. A call that needs no waiting
// is answered before it returns. The memory of an answer is the bridge's own, and is gone when the function returns.
//
// ES5, and only what every Emscripten from Unity 2021.3 on knows: no addToLibrary, no names of the C runtime among the __deps.

mergeInto(LibraryManager.library, {
  $PlayerDataBridge: {
    players: {},

    say: function (player, call, message) {
      var text = JSON.stringify(message)
      var length = lengthBytesUTF8(text)
      var pointer = _malloc(length + 1)
      var answer = player.answer
      stringToUTF8(text, pointer, length + 1)
      try {
        {{{ makeDynCall('viiii', 'answer') }}}(player.number, call, pointer, length)
      } finally {
        _free(pointer)
      }
    },

    plain: function (error) {
      if (!PlayerDataRuntime.isPlayerDataError(error)) return { code: 'unexpected', message: String((error && error.stack) || error) }
      return { code: error.code, status: error.status, serviceCode: error.serviceCode, message: error.message }
    },

    perform: function (player, call, run) {
      var succeed = function (value) {
        PlayerDataBridge.say(player, call, { value: value })
      }
      var fail = function (error) {
        PlayerDataBridge.say(player, call, { error: PlayerDataBridge.plain(error) })
      }
      var value
      try {
        value = run()
      } catch (error) {
        return fail(error)
      }
      if (value && typeof value.then === 'function') value.then(succeed, fail)
      else succeed(value)
    },

    signer: function (player, settings) {
      if (!settings || settings.kind !== 'remote') return settings && PlayerDataRuntime.developmentSigner(settings)
      return PlayerDataRuntime.remoteSigner({
        url: settings.url,
        // C# is asked for each signature, since the game's own token may be another one by then.
        headers: function () {
          return new Promise(function (resolve) {
            var question = (player.questions += 1)
            player.asked[question] = resolve
            PlayerDataBridge.say(player, 0, { name: 'headers', event: question })
          })
        },
      })
    },

    create: function (player, options) {
      var name
      var names = ['session', 'status', 'store', 'state', 'delivered', 'dropped', 'error']
      var listen = function (name) {
        player.face.on(name, function (event) {
          PlayerDataBridge.say(player, 0, { name: name, event: name === 'error' ? PlayerDataBridge.plain(event) : event })
        })
      }
      options.signer = PlayerDataBridge.signer(player, options.signer)
      player.face = PlayerDataRuntime.createPlayerData(options)
      for (name = 0; name < names.length; name += 1) listen(names[name])
      PlayerDataBridge.players[player.number] = player
    },

    call: function (player, name, args) {
      var error
      if (name === 'read') return player.face[args[0]]
      if (name === 'headers') {
        // The answer to a question: the headers, or why the game could not tell them.
        error = args[2] && new PlayerDataRuntime.PlayerDataError('config', args[2])
        player.asked[args[0]](error ? Promise.reject(error) : args[1])
        delete player.asked[args[0]]
        return
      }
      if (name !== 'close') return player.face[name].apply(player.face, args)
      return player.face.close().then(function () {
        delete PlayerDataBridge.players[player.number]
      })
    },
  },

  PlayerDataRuntime_Create__deps: ['$PlayerDataBridge'],
  PlayerDataRuntime_Create: function (number, call, options, answer) {
    var text = UTF8ToString(options)
    var player = { number: number, answer: answer, questions: 0, asked: {} }
    if (typeof PlayerDataRuntime === 'undefined') {
      var message = 'PlayerData.jspre is not in this build. Enable the WebGL platform for it in its import settings.'
      PlayerDataBridge.say(player, call, { error: { code: 'config', message: message } })
      return
    }
    PlayerDataBridge.perform(player, call, function () {
      PlayerDataBridge.create(player, JSON.parse(text))
    })
  },

  PlayerDataRuntime_Call__deps: ['$PlayerDataBridge'],
  PlayerDataRuntime_Call: function (number, call, name, args) {
    var player = PlayerDataBridge.players[number]
    var asked = UTF8ToString(name)
    var text = UTF8ToString(args)
    // C# makes no call on a player that it has not created, or has closed.
    if (!player) return
    PlayerDataBridge.perform(player, call, function () {
      return PlayerDataBridge.call(player, asked, JSON.parse(text))
    })
  },
})
