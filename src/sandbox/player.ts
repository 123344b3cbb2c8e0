// A player, made up from the seed, the API key and the device id alone: the same device is the same player with the same store, on every
// machine. What the service leaves unspecified stays null or empty; nothing is invented for it.

import { createHash } from 'node:crypto'
import type { components } from '../../generated/openapi.ts'

type Schemas = components['schemas']

/** A player as login hands it out, without the tokens. */
export type Player = Pick<Schemas['LoginResponse'], 'userId' | 'deviceId' | 'gameId' | 'tenantId' | 'playerConfig'>

/** Each SKU has a price tier, an index into the prices of a currency. */
const CATALOGUE = [
  { skuId: 'gems_small', name: 'Pouch of gems', description: '80 gems for a quick start.', tier: 0 },
  { skuId: 'gems_medium', name: 'Chest of gems', description: '500 gems, with 50 on top.', tier: 2 },
  { skuId: 'gems_large', name: 'Vault of gems', description: '3000 gems, with 600 on top.', tier: 4 },
  { skuId: 'starter_pack', name: 'Starter pack', description: 'A sword, a shield and 200 gems.', tier: 1 },
  { skuId: 'hero_bundle', name: 'Hero bundle', description: 'One rare hero and the armour to match.', tier: 3 },
  { skuId: 'legend_bundle', name: 'Legend bundle', description: 'Three legendary heroes and 5000 gems.', tier: 5 },
  { skuId: 'no_ads', name: 'No more ads', description: 'Removes all ads between levels.', tier: 1 },
  { skuId: 'battle_pass', name: 'Battle pass', description: 'The season’s rewards, unlocked as you play.', tier: 2 },
  { skuId: 'double_coins', name: 'Double coins', description: 'Twice the coins from every level, for good.', tier: 2 },
  { skuId: 'dragon_skin', name: 'Dragon skin', description: 'A golden look for your dragon.', tier: 0 },
]

const PRICES = {
  EUR: [0.99, 1.99, 4.99, 9.99, 19.99, 49.99],
  USD: [0.99, 1.99, 4.99, 9.99, 19.99, 49.99],
  GBP: [0.79, 1.79, 4.49, 8.99, 17.99, 44.99],
  BRL: [4.9, 9.9, 24.9, 49.9, 99.9, 249.9],
  JPY: [160, 320, 800, 1600, 3200, 8000],
}

const DISCOUNTS_PERCENT = [0, 0, 0, 10, 20, 25, 50]
const MAX_SKUS = 6
const PAYERS_PERCENT = 30
const DAY_MS = 86_400_000

export function createPlayer({ seed, apiKey, deviceId }: { seed: string; apiKey: string; deviceId: string }): Player {
  const identity = digest(seed, apiKey, deviceId)
  /** A number from 0 to below `bound`, always the same for the same player and label. */
  const draw = (label: string, bound: number) => digest(identity.toString('hex'), label).readUInt32BE(0) % bound

  const pick = <Value>(label: string, list: readonly Value[]) => list[draw(label, list.length)] as Value

  const [currency, prices] = pick('currency', Object.entries(PRICES))
  const activeSkus = CATALOGUE.map((sku) => ({ sku, rank: draw(`rank ${sku.skuId}`, 1_000_000) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, draw('size', MAX_SKUS + 1))
    .map(({ sku: { tier, ...sku } }) => {
      const actualPrice = prices[tier] as number
      const discount = pick(`discount ${sku.skuId}`, DISCOUNTS_PERCENT)
      const offerPrice = Math.round(actualPrice * (100 - discount)) / 100
      return { ...sku, actualPrice, offerPrice, currency, assets: [], active: true }
    })

  return {
    userId: `player-${identity.toString('hex').slice(0, 12)}`,
    deviceId,
    gameId: `game-${digest('game', apiKey).toString('hex').slice(0, 8)}`,
    tenantId: `tenant-${digest('tenant', apiKey).toString('hex').slice(0, 8)}`,
    playerConfig: {
      playerStatus: { isPayer: { value: draw('payer', 100) < PAYERS_PERCENT, defaultValue: false, expiredAt: null } },
      storeConfig: {
        activeSkus,
        lastUpdatedTimestamp: Date.UTC(2026, 0, 1) + draw('updated', 60) * DAY_MS,
        userSpecificPromoId: null,
        fallbackConfig: null,
      },
    },
  }
}

/** Length-prefixed, so that no two lists of parts make the same digest. */
function digest(...parts: string[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest()
}
