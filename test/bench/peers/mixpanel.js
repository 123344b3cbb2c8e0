// Mixpanel, its core without the recorder: a hundred events a POST, plain JSON instead of Base64.

import mixpanel from 'mixpanel-browser/src/loaders/loader-module-core'
import { eventType, payloadOf } from './event.js'

window.bench = {
  start(url) {
    mixpanel.init('0123456789abcdef', {
      ...{ api_host: url, api_payload_format: 'json', batch_size: 100, batch_flush_interval_ms: 1000, persistence: 'localStorage' },
      ...{ autocapture: false, track_pageview: false, track_marketing: false, record_sessions_percent: 0, ignore_dnt: true },
    })
  },
  track(id) {
    mixpanel.track(eventType, payloadOf(id))
  },
}
