import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    include: ['test/**/*.test.ts'],
    // What has to be fetched first, and is large: engines, compilers, other browsers. `npm run test:hosts` sets HOSTS.
    exclude: process.env.HOSTS === 'all' ? [] : ['test/hosts/heavy/**'],
    globalSetup: 'test/setup.ts',
    // Most of the time is spent waiting for browsers and clocks, so a small machine can do two files at once.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 120_000,
  },
})
