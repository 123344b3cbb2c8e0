// Segment: settings given inline, so that none are fetched; a hundred events a POST.

import { AnalyticsBrowser } from '@segment/analytics-next'
import { eventType, payloadOf } from './event.js'

let analytics

window.bench = {
  async start(url) {
    const apiHost = `${url.replace('http://', '')}/v1`
    const deliveryStrategy = { strategy: 'batching', config: { size: 100, timeout: 1000 } }
    const options = { apiKey: 'bench', apiHost, protocol: 'http', deliveryStrategy }
    analytics = AnalyticsBrowser.load({ writeKey: 'bench', cdnURL: url, cdnSettings: { integrations: { 'Segment.io': options } } })
    await analytics.ready()
  },
  track(id) {
    analytics.track(eventType, payloadOf(id))
  },
}
