// Writes docs/reference.md from the doc comments of the public faces: `npm run reference`. test/reference.test.ts holds the two together.
//
// The order of the page is the one of `parts`. A name that is exported and has no place there, or the reverse, stops the script.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = new URL('../', import.meta.url)
const path = (relative) => fileURLToPath(new URL(relative, root))

const MODULES = {
  'player-data-runtime': 'src/index.ts',
  'player-data-runtime/node': 'src/node/index.ts',
  'player-data-runtime/signing': 'src/signing/index.ts',
  'player-data-runtime/sandbox': 'src/sandbox/index.ts',
}

const GENERATED =
  'Types made from the [contract](contract.md), for code that names its parts. [`openapi.yaml`](../openapi.yaml) and the API reference describe them.'

const PARTS = [
  {
    module: 'player-data-runtime',
    title: 'Making a player',
    intro:
      'For script tags and engines the same names are members of the global `PlayerData`. `dist/player-data.web.js` has them all but `developmentSigner`.',
    names: ['createPlayerData', 'remoteSigner', 'developmentSigner', 'bindCocos', 'isPlayerDataError', 'version'],
  },
  {
    module: 'player-data-runtime',
    title: 'Options',
    names: ['PlayerDataOptions', 'EventOptions', 'Consent', 'RemoteSignerOptions', 'DevelopmentSignerOptions'],
  },
  { module: 'player-data-runtime', title: 'The player', names: ['PlayerData', 'PlayerState', 'PlayerStats', 'Session', 'Api'] },
  {
    module: 'player-data-runtime',
    title: 'What on() tells',
    intro: '`player.on(name, listener)` calls the listener with the value; what `on` returns ends it.',
    names: ['PlayerEvents', 'RequestNews', 'DropReason'],
  },
  {
    module: 'player-data-runtime',
    title: 'What track takes',
    names: ['TrackOptions', 'Priority', 'OpenEvents', 'AdImpressionPayload', 'EventMetadata'],
  },
  {
    module: 'player-data-runtime',
    title: 'Errors',
    intro: 'What each code means for a game, with examples, is on the page [Errors](errors.md).',
    names: ['PlayerDataError', 'ErrorCode'],
  },
  { module: 'player-data-runtime', title: 'What the service says', names: ['PlayerStatus', 'StoreConfig', 'components', 'paths'] },
  { module: 'player-data-runtime', title: 'Signers', names: ['Signer', 'SignRequest', 'Signed'] },
  {
    module: 'player-data-runtime',
    title: 'The host',
    intro:
      'What the runtime needs from the place it runs in. It finds all of it by itself in the [hosts](hosts.md) that it knows; `platform` replaces any part. In a bare VM `http`, `storage`, `now`, `after` and `random` are enough, and `after` can be left to `player.tick()`.',
    names: ['Platform', 'KeyValue', 'HttpRequest', 'HttpResponse', 'CocosEngine'],
  },
  { module: 'player-data-runtime/node', title: 'player-data-runtime/node', names: ['fileStorage'] },
  {
    module: 'player-data-runtime/signing',
    title: 'player-data-runtime/signing',
    intro: 'For your server. The guide is [Signing](signing.md).',
    names: [
      'createSigningHandler',
      'toNodeListener',
      'sign',
      'signedString',
      'SigningHandlerOptions',
      'SigningTarget',
      'SigningHandler',
      'SignOptions',
    ],
    elsewhere: ['SignRequest', 'Signed'],
  },
  {
    module: 'player-data-runtime/sandbox',
    title: 'player-data-runtime/sandbox',
    intro: 'The service on your own machine. The guides are [The sandbox](sandbox.md) and [Testing your game](testing.md).',
    names: [
      ...['createSandbox', 'createLine', 'SandboxOptions', 'Settings', 'Sandbox', 'Controls', 'Fault', 'FaultScope', 'When', 'ActiveFault'],
      ...['Stats', 'Tally', 'OperationCount', 'RequestEntry', 'ReceivedEvent', 'PlayerEvent'],
    ],
  },
]

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {string} text what is written in code: the name, and for a call its arguments
 * @property {string} type
 * @property {boolean} required
 * @property {string | undefined} value its default
 * @property {string} doc
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {'function' | 'members' | 'calls' | 'words' | 'type' | 'value' | 'contract'} kind
 * @property {string} doc
 * @property {string} type
 * @property {Member[]} members
 * @property {string[]} bases exported interfaces whose members it has, too
 * @property {string} [takes] the type of a function's first argument
 * @property {string} [returns]
 */

/** Every public name by module. @returns {Record<string, Entry[]>} */
export function readFaces() {
  const { config } = ts.readConfigFile(path('tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, path('.'))
  const program = ts.createProgram(Object.values(MODULES).map(path), options)
  const checker = program.getTypeChecker()
  return Object.fromEntries(
    Object.entries(MODULES).map(([module, file]) => {
      const symbol = checker.getSymbolAtLocation(program.getSourceFile(path(file)))
      const found = checker.getExportsOfModule(symbol).map((each) => {
        const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each
        return { name: each.name, target }
      })
      const exported = new Set(found.map(({ target }) => target))
      return [module, found.map(({ name, target }) => readEntry(name, target, exported, checker))]
    }),
  )
}

/** @returns {Entry} */
function readEntry(name, symbol, exported, checker) {
  const [declaration] = symbol.declarations
  const entry = { name, kind: 'type', doc: docOf(symbol, checker), type: '', members: [], bases: [] }
  if (declaration.getSourceFile().fileName.includes('/generated/')) return { ...entry, kind: 'contract', doc: GENERATED }
  if (ts.isFunctionDeclaration(declaration)) {
    return {
      ...entry,
      kind: 'function',
      type: callOf(name, declaration, checker),
      returns: returnOf(declaration),
      takes: takenBy(declaration),
    }
  }
  if (ts.isVariableDeclaration(declaration)) return { ...entry, kind: 'value', type: typeText(declaration.type) }
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) {
    const inherited = (ts.isInterfaceDeclaration(declaration) ? (declaration.heritageClauses ?? []) : []).flatMap(({ types }) => types)
    const own = []
    for (const base of inherited) {
      const [named] = [...base.getText().matchAll(/\w+/g)].map(([word]) => word).filter((word) => word !== 'Partial')
      const target = checker.getTypeAtLocation(base).symbol ?? checker.getTypeAtLocation(base).aliasSymbol
      if ([...exported].some((each) => each.name === named)) entry.bases.push(named)
      else own.push(...membersOf(target.declarations[0], checker))
    }
    const members = [...own, ...membersOf(declaration, checker)]
    const isFace =
      members.some(({ text }) => text.includes('(')) && members.filter(({ text }) => text.includes('(')).length > members.length / 2
    return { ...entry, kind: isFace ? 'calls' : 'members', members }
  }
  const { type } = declaration
  if (ts.isUnionTypeNode(type) && type.types.every((each) => ts.isLiteralTypeNode(each))) {
    const { intro, words } = wordsOf(entry.doc)
    const values = type.types.map((each) => each.literal.text)
    const missing = values.filter((value) => !words.has(value))
    if (missing.length > 0) throw new Error(`${name}: the doc comment says nothing of ${missing.join(', ')}`)
    return { ...entry, doc: intro, kind: 'words', members: values.map((value) => memberOf(value, words.get(value))) }
  }
  if (isContract(type)) return { ...entry, kind: 'members', members: contractMembers(checker.getTypeAtLocation(type), checker, '') }
  const variants = variantsOf(type)
  if (variants.length > 0) return { ...entry, kind: 'members', members: variants }
  return { ...entry, type: typeText(type) }
}

/** @returns {Member} */
function memberOf(name, doc, more = {}) {
  return { name, text: name, type: '', required: true, value: undefined, doc, ...more }
}

/** @returns {Member[]} */
function membersOf(declaration, checker) {
  return declaration.members
    .filter((member) => member.name && !ts.isConstructorDeclaration(member))
    .map((member) => {
      const name = member.name.getText()
      const symbol = checker.getSymbolAtLocation(member.name)
      const isCall = ts.isMethodSignature(member)
      const [tag] = symbol.getJsDocTags(checker).filter((each) => each.name === 'default')
      return memberOf(name, docOf(symbol, checker), {
        text: isCall ? callOf(name, member, checker) : name,
        type: isCall ? returnOf(member) : typeText(member.type),
        required: !member.questionToken,
        value: tag && ts.displayPartsToString(tag.text),
      })
    })
}

/** An argument that is taken apart at once has no name: it gets one after its type. */
function nameFor({ type }) {
  return (/([A-Z][a-z]+)$/.exec(type.getText())?.[1] ?? 'options').toLowerCase()
}

/** A call by the names of its arguments. Those of a rest argument are the labels of its tuple. */
function callOf(name, declaration, checker) {
  const names = declaration.parameters.flatMap((parameter) => {
    if (!parameter.dotDotDotToken) return [ts.isIdentifier(parameter.name) ? parameter.name.text : nameFor(parameter)]
    const alias = checker.getSymbolAtLocation(parameter.type.typeName).declarations[0]
    const labels = new Set()
    alias.forEachChild(function visit(node) {
      if (ts.isNamedTupleMember(node)) labels.add(node.name.text)
      node.forEachChild(visit)
    })
    return [...labels]
  })
  // What only the runtime itself passes is no business of the reader's.
  return `${name}(${names.filter((each) => each !== 'onCancel').join(', ')})`
}

function takenBy({ parameters: [first] }) {
  return first?.type ? typeText(first.type) : ''
}

function returnOf(declaration) {
  return declaration.type ? typeText(declaration.type) : 'void'
}

function typeText(node) {
  return node
    .getText()
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/readonly |components\['schemas'\]|, onCancel\?: OnCancel/g, '')
    .replace(/\s+/g, ' ')
    .replace(/& Pick<OpenEvents, 'Ad_Impression'>/, '')
    .replace(/ >/g, '>')
    .replace(/: (Incoming|Outgoing)/g, '')
    .replace(/^Call<'\w+'>$/, '(path, init) => Promise<{ data, error, response }>')
    .trim()
}

/** The members of the contract's own types; those of objects within them follow with their path. */
function contractMembers(type, checker, prefix) {
  return type.getProperties().flatMap((symbol) => {
    const [declaration] = symbol.declarations
    const own = checker.getTypeOfSymbol(symbol)
    const isList = checker.isArrayType(own)
    const inner = isList ? checker.getTypeArguments(own)[0] : own
    const name = `${prefix}${symbol.name}`
    // A member that only refers to a schema is described there.
    const [part = inner] = inner.types ?? []
    const schema = ts.findAncestor(part.symbol?.declarations?.[0], ts.isPropertySignature)
    const doc = tagOf(symbol, 'description', checker) || (schema ? tagOf(schema.symbol, 'description', checker) : '')
    const row = memberOf(name, doc, { type: contractType(declaration.type), required: !declaration.questionToken })
    const isObject = inner.flags & ts.TypeFlags.Object && inner.getProperties().length > 0 && !checker.isArrayType(inner)
    return [row, ...(isObject ? contractMembers(inner, checker, `${name}${isList ? '[]' : ''}.`) : [])]
  })
}

const contractType = (node) => typeText(node).replace(/components\["schemas"\]\["(\w+)"\]/g, '$1')
const isContract = (node) => /^components\['schemas'\]\['\w+'\]$/.test(node.getText())

/** A union of objects: each is a row, and the comment before it says what it does. */
function variantsOf(type) {
  const unions = []
  type.forEachChild(function visit(node) {
    if (ts.isUnionTypeNode(node) && node.types.every(ts.isTypeLiteralNode)) unions.push(node)
    node.forEachChild(visit)
  })
  return unions.flatMap((union) =>
    union.types.map((literal, at) => {
      const before = union.getSourceFile().text.slice(union.types[at - 1]?.end ?? union.parent.pos, literal.getStart())
      const [, doc = ''] = /\/\*\*(.*?)\*\//s.exec(before) ?? []
      return memberOf(typeText(literal), doc.trim())
    }),
  )
}

function docOf(symbol, checker) {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
}

function tagOf(symbol, name, checker) {
  const tag = symbol.getJsDocTags(checker).find((each) => each.name === name)
  return tag ? ts.displayPartsToString(tag.text) : ''
}

/** A doc comment that is a list of words: `- \`word\`: what it means`. */
function wordsOf(doc) {
  const words = new Map([...doc.matchAll(/^- `([^`]+)`: (.*)$/gm)].map(([, word, meaning]) => [word, meaning]))
  return { intro: doc.replace(/^- .*$/gm, '').trim(), words }
}

/** The page. */
export function writeReference(faces = readFaces()) {
  checkParts(faces)
  const anchors = new Set(PARTS.flatMap(({ names }) => names))
  const parts = PARTS.map(({ module, title, intro, names }) => {
    const entries = names.map((name) => faces[module].find((entry) => entry.name === name))
    return [`## ${title}`, intro, ...entries.map((entry) => writeEntry(entry, anchors))].filter(Boolean).join('\n\n')
  })
  const head = `<!-- Written from the doc comments of src/ by \`npm run reference\`. Change those, not this page. -->

# Runtime reference

Every name that the package exports. Guides say when to use them: [Session](session.md), [Events](events.md), [Signing](signing.md), [Errors](errors.md).`
  return `${[head, ...parts].join('\n\n')}\n`
}

function checkParts(faces) {
  for (const [module, entries] of Object.entries(faces)) {
    const placed = PARTS.filter((part) => part.module === module).flatMap(({ names, elsewhere = [] }) => [...names, ...elsewhere])
    const names = entries.map(({ name }) => name)
    const wrong = [...names.filter((name) => !placed.includes(name)), ...placed.filter((name) => !names.includes(name))]
    if (wrong.length > 0) throw new Error(`${module}: say in docs/reference.mjs where ${wrong.join(', ')} belongs, or take it out`)
  }
}

/** @param {Entry} entry */
function writeEntry(entry, anchors) {
  const { name, kind, doc, type, members, bases } = entry
  const others = bases.map((base) => linked(base, anchors, name)).join(' and ')
  const also = others && `It has all members of ${others}, too.`
  const head = [
    `### ${code(name)}`,
    ...(kind === 'function'
      ? [`${code(type)} takes ${linked(entry.takes, anchors, name)} and returns ${linked(entry.returns, anchors, name)}.`]
      : []),
  ]
  const text = [doc, also, ...(kind === 'type' || kind === 'value' ? [`Type: ${linked(type, anchors, name)}`] : [])]
  return [...head, ...text.map(paragraphs), tableOf(kind, members, anchors, name)].filter(Boolean).join('\n\n')
}

function tableOf(kind, members, anchors, self) {
  if (members.length === 0) return ''
  const link = (type) => linked(type, anchors, self)
  if (kind === 'words')
    return table(
      ['value', 'meaning'],
      members.map(({ name, doc }) => [code(name), doc]),
    )
  if (kind === 'calls') {
    return table(
      ['call or property', 'gives', 'what it does'],
      members.map(({ text, type, value, required, doc }) => [
        code(text) + (required ? '' : ', optional'),
        link(type),
        doc + (value === undefined ? '' : ` Default: ${asDefault(value)}.`),
      ]),
    )
  }
  if (members.every(({ type }) => type === ''))
    return table(
      ['form', 'meaning'],
      members.map(({ text, doc }) => [code(text), doc]),
    )
  const isOption = members.some(({ value }) => value !== undefined)
  return isOption
    ? table(
        ['name', 'type', 'default', 'meaning'],
        members.map(({ text, type, value, required, doc }) => [
          code(text),
          link(type),
          value === undefined ? (required ? '**required**' : '') : asDefault(value),
          doc,
        ]),
      )
    : table(
        ['name', 'type', 'meaning'],
        members.map(({ text, type, required, doc }) => [code(text) + (required ? '' : ', optional'), link(type), doc]),
      )
}

/** A word that one would write in code looks like it. */
const asDefault = (value) => (/^[a-z][\w-]*$/.test(value) && !/^(now|none)$/.test(value) ? code(value) : value)

const code = (text) => `\`${text}\``

/** Code that leads to the first type of ours in it. */
function linked(type, anchors, self) {
  const [name] = [...type.matchAll(/\w+/g)]
    .map(([word]) => word)
    .filter((word) => anchors.has(word) && word !== self && /^[A-Z]/.test(word))
  return name ? `[${code(type)}](#${name.toLowerCase()})` : code(type)
}

/** Lines of a comment are no lines of the page; a list stays one. */
function paragraphs(text) {
  return text.replace(/\n(?!-|\n)/g, ' ')
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => paragraphs(cell).replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path('docs/reference.md'), writeReference())
