// Who is measured. A row's adapter is peers/NAME.js; `peer` is its package, `script` a file that is measured as it ships.
// The light rows have more noise than cost, so they are warmed up longer, their calls are measured five times per page, and they are
// sampled more often. `restMs` is for a row that works by a slow timer of its own: only after so long can it be said to be at rest.

/** @typedef {{ name: string, peer?: string, script?: string, samples?: number, kills?: number, warmUp?: number, batches?: number, restMs?: number }} Row */

const light = { samples: 3, kills: 3, warmUp: 2000, batches: 5 }

/** @type {Row[]} */
export const rows = [
  { name: 'player-data', script: 'dist/player-data.js', ...light },
  { name: 'ref-indexeddb', ...light },
  { name: 'ref-memory', ...light, kills: 1 },
  { name: 'gameanalytics', peer: 'gameanalytics', restMs: 1200 },
  { name: 'snowplow', peer: '@snowplow/browser-tracker' },
  { name: 'amplitude', peer: '@amplitude/analytics-browser' },
  { name: 'mixpanel', peer: 'mixpanel-browser' },
  { name: 'segment', peer: '@segment/analytics-next' },
  { name: 'sentry', peer: '@sentry/browser' },
]
