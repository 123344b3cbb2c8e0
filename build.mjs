// Makes dist/: `npm run build`. Each line of `bundles` is one file that users can take.

import { readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

const common = {
  bundle: true,
  minify: true,
  sourcemap: true,
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
}
/** For engines: the oldest syntax among them, and classes of our own where openapi-fetch would take the host's. */
const engine = { ...common, target: 'es2017', inject: ['src/fetch.ts'] }
const node = { ...common, platform: 'node', target: 'node20.19', format: 'esm' }

const bundles = [
  { ...engine, entryPoints: ['src/index.ts'], outfile: 'dist/player-data.js', format: 'iife', globalName: 'PlayerData' },
  { ...engine, entryPoints: ['src/index.ts'], outfile: 'dist/player-data.mjs', format: 'esm' },
  { ...common, entryPoints: ['src/signing/index.ts'], outfile: 'dist/signing.mjs', format: 'esm', target: 'es2022' },
  { ...node, entryPoints: ['src/sandbox/index.ts'], outfile: 'dist/sandbox.mjs' },
  { ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/cli.mjs', banner: { js: '#!/usr/bin/env node' } },
]

const types = [
  // `export as namespace` gives the types of the global to pages that load dist/player-data.js by a script tag.
  { input: 'src/index.ts', file: 'dist/player-data.d.ts', outro: 'export as namespace PlayerData;' },
  { input: 'src/signing/index.ts', file: 'dist/signing.d.mts' },
  { input: 'src/sandbox/index.ts', file: 'dist/sandbox.d.mts' },
]

rmSync('dist', { recursive: true, force: true })
await Promise.all(bundles.map((bundle) => build(bundle)))
for (const { input, ...output } of types) {
  const bundle = await rollup({ input, plugins: [dts({ respectExternal: true })], external: /^node:/ })
  await bundle.write({ format: 'es', ...output })
}
