// This runtime, by the global of dist/player-data.js. The buffer is raised so that 100 000 events fit.

import { campaignId, metadata, sessionId } from './event.js'

let player

window.bench = {
  async start(url) {
    player = PlayerData.createPlayerData({
      ...{ baseUrl: url, apiKey: 'dev-key', signer: PlayerData.developmentSigner({ secret: 'dev-secret' }), deviceId: 'bench' },
      ...{ sessionId, metadata, events: { bufferEvents: 200_000, bufferBytes: 1e9 } },
    })
    await player.login()
  },
  track(id) {
    player.track('Ad_Impression', { adId: id, campaignId })
  },
  stats: () => player.stats(),
}
