// What the service last said of the player: the flags of the status, and the personal store.

import type { PlayerStatus, StoreConfig } from '../profile.ts'
import { element } from './element.ts'

export interface StoreView {
  readonly element: HTMLElement
  update(status: PlayerStatus | null, store: StoreConfig | null): void
}

export function createStoreView(): StoreView {
  const view = element('div')
  let shown: [unknown, unknown] | undefined

  return {
    element: view,
    update(status, store) {
      // The player hands out the same object until there is another one.
      if (shown && shown[0] === status && shown[1] === store) return
      shown = [status, store]
      view.textContent = ''
      view.append(status ? flagsOf(status) : element('p', { class: 'none' }, 'No status yet: it comes with the login.'))
      view.append(...(store ? storeOf(store) : [element('p', { class: 'none' }, 'No store yet: it comes with the login.')]))
    },
  }
}

/** Every member of the status: the service may send more than the contract names. */
function flagsOf(status: PlayerStatus): HTMLElement {
  const list = element('dl', { class: 'pairs' })
  for (const [name, flag] of Object.entries(status)) {
    const isFlag = typeof flag === 'object' && flag !== null && 'value' in flag
    const { value, defaultValue, expiredAt } = isFlag ? (flag as Record<string, unknown>) : { value: flag }
    const facts = [
      defaultValue === undefined ? '' : `default ${textOf(defaultValue)}`,
      expiredAt === undefined || expiredAt === null ? '' : `until ${textOf(expiredAt)}`,
    ]
    const more = facts.filter(Boolean).join(', ')
    list.append(element('dt', {}, name), element('dd', {}, element('b', {}, textOf(value)), more ? element('small', {}, ` ${more}`) : ''))
  }
  return list
}

function storeOf(store: StoreConfig): HTMLElement[] {
  const skus = Array.isArray(store.activeSkus) ? store.activeSkus : []
  const facts = element('dl', { class: 'pairs' })
  const fact = (name: string, value: unknown) => {
    if (value !== null && value !== undefined) facts.append(element('dt', {}, name), element('dd', {}, textOf(value)))
  }
  fact('Updated', store.lastUpdatedTimestamp)
  fact('Promotion', store.userSpecificPromoId)
  fact('Fallback', store.fallbackConfig)
  if (skus.length === 0) return [element('p', { class: 'none' }, 'The store is empty: no active SKU.'), facts]
  const rows = skus.map(({ skuId, name, actualPrice, offerPrice, currency, active }) =>
    element(
      'tr',
      active === false ? { class: 'inactive' } : {},
      element('td', {}, textOf(name), element('small', {}, textOf(skuId))),
      element('td', { class: 'number' }, offerPrice === actualPrice ? textOf(actualPrice) : element('s', {}, textOf(actualPrice))),
      element('td', { class: 'number' }, element('b', {}, textOf(offerPrice)), ` ${textOf(currency)}`),
    ),
  )
  const names = ['SKU', 'Actual', 'Offer'].map((name, at) =>
    element('th', at > 0 ? { class: 'number', scope: 'col' } : { scope: 'col' }, name),
  )
  return [element('table', {}, element('thead', {}, element('tr', {}, ...names)), element('tbody', {}, ...rows)), facts]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '–')
}
