import { walkJourney } from '../journey.ts'
import { openPolled } from '../polled.ts'

walkJourney({
  name: 'WebKit',
  is: 'a page in WebKitGTK’s MiniBrowser on a virtual display, killed and started again on its profile; the engine of Safari, not Safari',
  open: () => openPolled('webkit'),
})
