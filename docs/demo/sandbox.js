// The sandbox beside this page, by its control API. The faults it is told to play do not touch these calls.

/** The sandbox's address where `npm start` serves this page; undefined on a plain static site. */
export async function findSandbox() {
  try {
    const response = await fetch('../sandbox.json', { cache: 'no-store' })
    return response.ok ? ((await response.json()).url ?? undefined) : undefined
  } catch {
    return undefined
  }
}

export function createSandboxClient(url) {
  async function call(method, path, body) {
    const response = await fetch(`${url}/_sandbox${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`The sandbox answers ${response.status}`)
    return response.json()
  }

  /** The active fault that is the very same as this one. */
  const find = (faults, fault) => faults.find((active) => sameJson(active.fault, fault))

  return {
    /** Settings, faults, and what it has received. */
    look: () => call('GET', ''),
    isOn: ({ faults, settings }, { fault, settings: wanted }) =>
      fault ? find(faults, fault) !== undefined : Object.entries(wanted).every(([name, value]) => settings[name] === value),
    async turn(entry, on) {
      if (entry.settings) return call('POST', '/settings', on ? entry.settings : entry.settingsOff)
      if (on) return call('POST', '/faults', entry.fault)
      const { faults } = await call('GET', '')
      const active = find(faults, entry.fault)
      return active && call('DELETE', `/faults/${active.id}`)
    },
    async run({ calls }) {
      for (const path of calls) await call('POST', `/${path}`)
    },
  }
}

const sameJson = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

function sorted(value) {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
