// Snowplow: a self-describing event; batches by its own default (40 000 bytes a POST), its queue's limit of 1 000 raised.

import { newTracker, trackSelfDescribingEvent } from '@snowplow/browser-tracker'
import { payloadOf } from './event.js'

const schema = 'iglu:com.example/ad_impression/jsonschema/1-0-0'

window.bench = {
  start(url) {
    newTracker('sp', url, { appId: 'bench', encodeBase64: false, maxLocalStorageQueueSize: 200_000, stateStorageStrategy: 'localStorage' })
  },
  track(id) {
    trackSelfDescribingEvent({ event: { schema, data: payloadOf(id) } })
  },
}
