// Sentry with its offline transport: an event with a context; no integrations; its limits of 30 stored and 40 concurrent raised.

import { captureEvent, init, makeBrowserOfflineTransport, makeFetchTransport } from '@sentry/browser'
import { eventType, payloadOf } from './event.js'

window.bench = {
  start(url) {
    init({
      ...{ dsn: url.replace('//', '//key@').concat('/1'), defaultIntegrations: false, integrations: [], sendClientReports: false },
      transport: makeBrowserOfflineTransport(makeFetchTransport),
      transportOptions: { maxQueueSize: 200_000, bufferSize: 200_000, flushAtStartup: true },
    })
  },
  track(id) {
    captureEvent({ message: eventType, contexts: { ad: payloadOf(id) } })
  },
}
