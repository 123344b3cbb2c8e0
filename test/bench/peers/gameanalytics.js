// GameAnalytics: a design event with custom fields. Its host is a constant, so it is changed on the instance; events are sent every
// four seconds instead of every eight.

import ga from 'gameanalytics'
import { payloadOf } from './event.js'

const { GameAnalytics } = ga

window.bench = {
  async start(url) {
    ga.http.GAHTTPApi.instance.baseUrl = `${url}/v2`
    ga.http.GAHTTPApi.instance.remoteConfigsBaseUrl = `${url}/remote_configs/v1`
    GameAnalytics.setEventProcessInterval(4)
    GameAnalytics.initialize('0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef01234567')
    while (!ga.state.GAState.sessionIsStarted()) await new Promise((resolve) => setTimeout(resolve, 50))
  },
  track(id) {
    GameAnalytics.addDesignEvent('Ad_Impression', 0, payloadOf(id))
  },
}
