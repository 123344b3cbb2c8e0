// Amplitude: a hundred events a POST; autocapture, remote configuration and diagnostics off; its limit on retries raised.

import { init, track } from '@amplitude/analytics-browser'
import { eventType, payloadOf } from './event.js'

window.bench = {
  async start(url) {
    await init('0123456789abcdef', {
      ...{ serverUrl: `${url}/2/httpapi`, flushQueueSize: 100, flushMaxRetries: 1e6, logLevel: 0 },
      ...{ autocapture: false, fetchRemoteConfig: false, remoteConfig: { fetchRemoteConfig: false }, enableDiagnostics: false },
    }).promise
  },
  track(id) {
    track(eventType, payloadOf(id))
  },
}
