import { walkJourney } from '../journey.ts'
import { openPolled } from '../polled.ts'

walkJourney({
  name: 'Firefox',
  is: 'a page in headless Firefox ESR, killed and started again on its profile',
  open: () => openPolled('firefox'),
})
