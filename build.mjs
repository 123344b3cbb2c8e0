// Makes dist/: `npm run build`. Each line of `bundles` is one file that users can take.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { minify } from 'terser'
import { buildUnityPackage } from './src/unity/build.mjs'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

const common = {
  bundle: true,
  minify: true,
  sourcemap: true,
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
}
/** For engines: the oldest syntax among them. */
const engine = { ...common, target: 'es2017' }
const node = { ...common, platform: 'node', target: 'node20.19', format: 'esm' }

const bundles = [
  {
    ...engine,
    entryPoints: ['src/global.ts'],
    outfile: 'dist/player-data.js',
    format: 'iife',
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
  },
  { ...engine, entryPoints: ['src/web.ts'], outfile: 'dist/player-data.web.js', format: 'iife' },
  { ...engine, entryPoints: ['src/index.ts'], outfile: 'dist/player-data.mjs', format: 'esm' },
  { ...engine, entryPoints: ['src/inspector/global.ts'], outfile: 'dist/player-data.inspector.js', format: 'iife' },
  { ...engine, entryPoints: ['src/inspector/index.ts'], outfile: 'dist/inspector.mjs', format: 'esm' },
  { ...common, entryPoints: ['src/signing/index.ts'], outfile: 'dist/signing.mjs', format: 'esm', target: 'es2022' },
  { ...node, entryPoints: ['src/node/index.ts'], outfile: 'dist/node.mjs' },
  { ...node, entryPoints: ['src/sandbox/index.ts'], outfile: 'dist/sandbox.mjs' },
  { ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/cli.mjs', banner: { js: '#!/usr/bin/env node' } },
]

const types = [
  // `export as namespace` gives the types of the global to pages that load dist/player-data.js by a script tag.
  { input: 'src/index.ts', file: 'dist/player-data.d.ts', outro: 'export as namespace PlayerData;' },
  { input: 'src/inspector/index.ts', file: 'dist/inspector.d.mts' },
  { input: 'src/signing/index.ts', file: 'dist/signing.d.mts' },
  { input: 'src/node/index.ts', file: 'dist/node.d.mts' },
  { input: 'src/sandbox/index.ts', file: 'dist/sandbox.d.mts' },
]

// The site stays: `npm start` may be serving it, and `npm run docs` writes it anew.
mkdirSync('dist', { recursive: true })
for (const made of readdirSync('dist')) if (made !== 'site') rmSync(`dist/${made}`, { recursive: true })
await Promise.all(bundles.map((bundle) => build(bundle)))
await Promise.all(['dist/player-data.js', 'dist/player-data.web.js', 'dist/player-data.mjs'].map(squeeze))
await buildUnityPackage({ version })
for (const { input, ...output } of types) {
  const bundle = await rollup({ input, plugins: [dts({ respectExternal: true })], external: /^node:/ })
  await bundle.write({ format: 'es', ...output })
}

writeFileSync('dist/player-data.global.d.ts', globalTypes(readFileSync('dist/player-data.d.ts', 'utf8')))

/** The same types for a project whose scripts are modules and whose bundle is not, as with a plugin script of Cocos Creator. */
function globalTypes(types) {
  const members = types
    .replace(/^export .*;$/gm, '')
    .replace(/^declare /gm, '')
    .trim()
  return `declare namespace PlayerData {\n${members.replace(/^(?=.)/gm, '  ')}\n}\n`
}

/** A second pass over what games download: terser finds a few hundred bytes more than esbuild, and keeps the source map. */
async function squeeze(file) {
  const { code, map } = await minify(readFileSync(file, 'utf8'), {
    ecma: 2017,
    module: file.endsWith('.mjs'),
    // Node prints the line of an uncaught error.
    format: { max_line_len: file.endsWith('.mjs') ? 200 : false },
    compress: { passes: 3, unsafe_arrows: true, pure_getters: true },
    sourceMap: { content: JSON.parse(readFileSync(`${file}.map`, 'utf8')), url: `${file.split('/').pop()}.map` },
  })
  writeFileSync(file, code)
  writeFileSync(`${file}.map`, map)
}
