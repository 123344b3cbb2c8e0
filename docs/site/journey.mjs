// The picture of the journey on the home page: a line with six stations, one of them below ground, where there is no network.
// Drawn twice, wide and tall: text that shrinks with a picture cannot be read on a phone.

const stations = [
  { where: 'your game', name: 'Start', says: ['One file,', 'whatever the engine'] },
  { where: 'your server', name: 'Sign', says: ['The secret', 'never leaves it'] },
  { where: 'the service', name: 'Log in', says: ['Once. Tokens renew', 'by themselves'] },
  { where: 'your game', name: 'Status and store', says: ['Who pays, and what', 'is for sale to them'] },
  { where: 'your game', name: 'Track', says: ['No network? Kept on', 'the disk, in order'] },
  { where: 'the service', name: 'Deliver', says: ['Every stored event,', 'at least once'] },
]

/** On a grid of 24 around the middle of each tile. */
const icons = [
  '<path d="M-5-5H5a6 6 0 0 1 6 6v2a3 3 0 0 1-5.4 1.8L4 3h-8l-1.6 1.8A3 3 0 0 1-11 3V1a6 6 0 0 1 6-6zM-5-2v4M-7 0h4M4-1h.01M7 1h.01"/>',
  '<circle cx="-4.5" cy="4.5" r="4.5"/><path d="M-1.3 1.3 9-9M5-5l4 4M1.5-1.5 4 1"/>',
  '<path d="M-1-9h8a2 2 0 0 1 2 2V7a2 2 0 0 1-2 2h-8M-9 0H4M0-4l4 4-4 4"/>',
  '<path d="M-9-1v-8h8L9 1 1 9zM-5.5-5.5h.01"/>',
  '<ellipse cy="-6" rx="8" ry="3"/><path d="M-8-6V6c0 1.7 3.6 3 8 3s8-1.3 8-3V-6M-8 0c0 1.7 3.6 3 8 3s8-1.3 8-3"/>',
  '<path d="M-9 2v5a2 2 0 0 0 2 2H7a2 2 0 0 0 2-2V2M-5-2l4 4L8-9"/>',
]

const says =
  'The journey: your game starts, your server signs, the service logs the player in, the game knows status and store, tracks events ' +
  'even without network, and delivers them when the network is back.'

const underground = 4
const cut = '<path class="lost" d="M-7 4a10 10 0 0 1 14 0M-11-1a16 16 0 0 1 22 0M0 9h.01M-10-9 10 11"/>'

const tile = (at, x, y) => `<g class="station" transform="translate(${x} ${y})"><rect x="-30" y="-30" width="60" height="60" rx="17"/>
  <g class="icon" transform="scale(1.25)">${icons[at]}</g></g>`

function wide() {
  const x = (at) => 94 + at * 187
  const ground = 128
  const depth = 226
  const [before, middle, after] = [x(underground - 1), x(underground), x(underground + 1)]
  const tunnel = `M${before} ${ground}H${before + 48}C${before + 108} ${ground} ${before + 84} ${depth} ${middle - 36} ${depth}H${middle + 36}`
  const out = `M${middle + 36} ${depth}C${after - 84} ${depth} ${after - 108} ${ground} ${after - 48} ${ground}H${after}`
  const labels = stations.map(({ where, name, says: [first, second] }, at) => {
    const y = at === underground ? depth : ground
    const above = at === underground ? '' : `<text class="where" x="${x(at)}" y="${y - 48}">${where}</text>`
    return `${above}<text class="name" x="${x(at)}" y="${y + 58}">${name}</text>
    <text class="says" x="${x(at)}" y="${y + 80}">${first}</text><text class="says" x="${x(at)}" y="${y + 98}">${second}</text>`
  })
  return `<svg class="journey wide" viewBox="0 52 1120 284" role="img" aria-label="${says}">
  <path class="earth" d="M${middle - 98} 336V188a16 16 0 0 1 16-16H${middle + 82}a16 16 0 0 1 16 16V336z"/>
  <g transform="translate(${middle} ${ground - 34})">${cut}</g>
  <text class="where" x="${middle}" y="${ground + 4}">no network</text>
  <path class="rail" d="M${x(0)} ${ground}H${before}"/><path class="rail flow" d="M${x(0)} ${ground}H${before}"/>
  <path class="rail gap" d="${tunnel}"/><path class="rail" d="${out}"/><path class="rail flow" d="${out}"/>
  ${stations.map((_, at) => tile(at, x(at), at === underground ? depth : ground)).join('\n  ')}
  ${labels.join('\n  ')}
</svg>`
}

function tall() {
  const y = (at) => 48 + at * 112
  const labels = stations.map(
    (
      { where, name, says: [first, second] },
      at,
    ) => `<text class="where" x="92" y="${y(at) - 24}">${at === underground ? 'no network' : where}</text>
  <text class="name" x="92" y="${y(at) - 2}">${name}</text><text class="says" x="92" y="${y(at) + 20}">${first}</text>
  <text class="says" x="92" y="${y(at) + 38}">${second}</text>`,
  )
  const [before, after] = [y(underground - 1), y(underground + 1)]
  return `<svg class="journey tall" viewBox="0 0 340 ${y(5) + 56}" role="img" aria-label="${says}">
  <rect class="earth" x="0" y="${y(underground) - 50}" width="340" height="102" rx="16"/>
  <g transform="translate(304 ${y(underground) - 24})">${cut}</g>
  <path class="rail" d="M44 ${y(0)}V${before}"/><path class="rail flow" d="M44 ${y(0)}V${before}"/>
  <path class="rail gap" d="M44 ${before}V${y(underground)}"/>
  <path class="rail" d="M44 ${y(underground)}V${after}"/><path class="rail flow" d="M44 ${y(underground)}V${after}"/>
  ${stations.map((_, at) => tile(at, 44, y(at))).join('\n  ')}
  ${labels.join('\n  ')}
</svg>`
}

export const journey = `${wide()}\n${tall()}`
