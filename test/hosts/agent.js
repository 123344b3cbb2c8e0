// Loaded beside the bundle into every JavaScript host: calls the player by name, and turns what comes back into JSON. Written as for the
// oldest of them. `platform` and `signer`, where a runner defines them, are what a game on such a host has to supply by itself.
// biome-ignore-all lint: ES5 on purpose, read by engines that have no more

var agent = (function () {
  var player
  function make(options) {
    player = PlayerData.createPlayerData({
      baseUrl: options.baseUrl,
      apiKey: options.apiKey,
      deviceId: options.deviceId,
      signer: typeof signer === 'function' ? signer : PlayerData.developmentSigner({ secret: options.secret }),
      platform: typeof platform === 'object' ? platform : undefined,
    })
    player.on('error', function (error) {
      if (typeof console === 'object') console.log('[' + error.code + '] ' + error.message)
    })
  }
  function perform(name, args) {
    if (name === 'create') return make(args[0])
    if (name === 'read') return player[args[0]]
    return player[name].apply(player, args)
  }
  /** Takes and resolves with JSON: `{ value }` or `{ error }`. */
  function call(json) {
    var request = JSON.parse(json)
    return new Promise(function (resolve) {
      resolve(perform(request.name, request.args))
    }).then(
      function (value) {
        return JSON.stringify({ value: value })
      },
      function (error) {
        return JSON.stringify({ error: (error.code || error.name) + ': ' + error.message })
      },
    )
  }
  function tick() {
    if (player) player.tick()
  }
  return { call: call, tick: tick }
})()
