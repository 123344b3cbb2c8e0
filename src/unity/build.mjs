// Writes the Unity package (UPM) to dist/unity/: the files of src/unity/package/, the runtime lowered to ES5, which is all that Unity
// promises to take in a .jspre, and a .meta for each file that Unity imports. A GUID follows from the path, so that what a project refers
// to stays the same over versions.

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import ts from 'typescript'

const NAME = 'com.playerdata.runtime'
const root = new URL('../../', import.meta.url)
const pathOf = (relative) => fileURLToPath(new URL(relative, root))

/** Needs dist/player-data.mjs, and gives the folder that it has written. */
export async function buildUnityPackage({ version }) {
  const folder = pathOf(`dist/unity/${NAME}/`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(pathOf('src/unity/package'), folder, { recursive: true })
  cpSync(pathOf('LICENSE'), `${folder}LICENSE.md`)
  cpSync(pathOf('CHANGELOG.md'), `${folder}CHANGELOG.md`)
  mkdirSync(`${folder}Documentation~`)
  writeFileSync(`${folder}Documentation~/index.md`, guide(readFileSync(pathOf('docs/unity.md'), 'utf8')))
  const { name, ...manifest } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  writeFileSync(`${folder}package.json`, `${JSON.stringify({ name, version, ...manifest }, null, 2)}\n`)
  writeFileSync(`${folder}Runtime/Plugins/WebGL/PlayerData.jspre`, await lowered(readFileSync(pathOf('dist/player-data.mjs'), 'utf8')))
  for (const file of readdirSync(folder, { recursive: true })) {
    const path = file.replaceAll('\\', '/')
    if (isImported(path)) writeFileSync(`${folder}${path}.meta`, metaOf(path, statSync(folder + path).isDirectory()))
  }
  return folder
}

/** The guide for a reader who has the package alone: links to the other pages become their names. */
function guide(text) {
  return text.replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1').replace(/^(```\w+) unity$/gm, '$1')
}

/**
 * The module edition, since that one assigns no global: a page around the game may have a `PlayerData` of its own. A `var` at the top of a
 * .jspre lives in the closure of Unity's framework, where the functions of the .jslib see it and nobody else does.
 */
async function lowered(module) {
  const { outputText } = ts.transpileModule(module.replace(/\n[/][/]# sourceMappingURL=.*/, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES5, module: ts.ModuleKind.CommonJS, downlevelIteration: true },
  })
  const { code } = await minify(`var PlayerDataRuntime = (function (exports) {${outputText}\nreturn exports})({})`, {
    ecma: 5,
    compress: { passes: 3, pure_getters: true },
  })
  return `${code}\n`
}

/** Unity leaves out what ends in a tilde. A sample is copied into the project with its .meta files, so those are made, too. */
function isImported(path) {
  return !/^Documentation~|^Samples~$|[.]meta$/.test(path)
}

function metaOf(path, isFolder) {
  const guid = createHash('md5').update(`${NAME}/${path}`).digest('hex')
  const lines = isFolder ? ['folderAsset: yes', ...importerOf('')] : importerOf(path)
  return `${['fileFormatVersion: 2', `guid: ${guid}`, ...lines, ...LABELS].join('\n')}\n`
}

const LABELS = ['  userData: ', '  assetBundleName: ', '  assetBundleVariant: ']

function importerOf(path) {
  const type = /[^.]*$/.exec(path)[0]
  if (type === 'jspre' || type === 'jslib') return PLUGIN
  if (type === 'cs') {
    const settings = ['  defaultReferences: []', '  executionOrder: 0', '  icon: {instanceID: 0}']
    return ['MonoImporter:', '  externalObjects: {}', '  serializedVersion: 2', ...settings]
  }
  const names = { asmdef: 'AssemblyDefinitionImporter', md: 'TextScriptImporter', json: 'PackageManifestImporter' }
  return [`${names[type] ?? 'DefaultImporter'}:`, '  externalObjects: {}']
}

/** For WebGL alone: the Editor and other players would not know what to do with it. */
const PLUGIN = [
  'PluginImporter:',
  '  externalObjects: {}',
  '  serializedVersion: 2',
  '  iconMap: {}',
  '  executionOrder: {}',
  '  defineConstraints: []',
  '  isPreloaded: 0',
  '  isOverridable: 0',
  '  isExplicitlyReferenced: 0',
  '  validateReferences: 1',
  '  platformData:',
  ...platform('Any', '', 0, '{}'),
  ...platform('Editor', 'Editor', 0, '\n        DefaultValueInitialized: true'),
  ...platform('WebGL', 'WebGL', 1, '{}'),
]

function platform(group, name, enabled, settings) {
  return [
    '  - first:',
    `      ${group}: ${name}`,
    '    second:',
    `      enabled: ${enabled}`,
    `      settings: ${settings}`.replace(/ \n/, '\n'),
  ]
}
