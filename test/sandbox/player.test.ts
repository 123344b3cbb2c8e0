import { describe, expect, it } from 'vitest'
import { createPlayer } from '../../src/sandbox/player.ts'

const make = (deviceId: string, seed = 'sandbox', apiKey = 'dev-key') => createPlayer({ seed, apiKey, deviceId })
const many = Array.from({ length: 300 }, (_, index) => make(`device-${index}`))
const stores = many.map(({ playerConfig }) => playerConfig.storeConfig)

describe('a player', () => {
  it('is the same for the same device, and this one on every machine', () => {
    expect(make('device-1')).toEqual(make('device-1'))
    expect(make('device-1').userId).toBe('player-e758eaf0eac6')
  })

  it('differs by device, seed and key, also where their texts run together', () => {
    const ids = [make('a'), make('b'), make('a', 'other'), make('a', 'sandbox', 'other'), make('ka', 's', ''), make('a', 's', 'k')]
    expect(new Set(ids.map(({ userId }) => userId)).size).toBe(ids.length)
    expect(make('a').tenantId).toBe(make('b').tenantId)
    expect(make('a').tenantId).not.toBe(make('a', 'sandbox', 'other').tenantId)
  })
})

describe('players', () => {
  it('are varied', () => {
    const payers = many.filter(({ playerConfig }) => playerConfig.playerStatus.isPayer.value).length
    expect(payers / many.length).toBeGreaterThan(0.2)
    expect(payers / many.length).toBeLessThan(0.4)
    expect(new Set(stores.map(({ activeSkus }) => activeSkus.length))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]))
    const skus = stores.flatMap(({ activeSkus }) => activeSkus)
    expect(new Set(skus.map(({ skuId }) => skuId)).size).toBe(10)
    expect(new Set(skus.map(({ currency }) => currency)).size).toBe(5)
    expect(skus.some(({ actualPrice, offerPrice }) => offerPrice < actualPrice)).toBe(true)
    expect(skus.some(({ actualPrice, offerPrice }) => offerPrice === actualPrice)).toBe(true)
  })

  it('have plausible stores', () => {
    for (const { activeSkus } of stores) {
      expect(new Set(activeSkus.map(({ skuId }) => skuId)).size).toBe(activeSkus.length)
      expect(new Set(activeSkus.map(({ currency }) => currency)).size).toBeLessThanOrEqual(1)
      for (const { actualPrice, offerPrice, currency } of activeSkus) {
        expect(offerPrice).toBeGreaterThan(0)
        expect(offerPrice).toBeLessThanOrEqual(actualPrice)
        expect(Number(offerPrice.toFixed(currency === 'JPY' ? 0 : 2))).toBe(offerPrice)
      }
    }
  })
})
