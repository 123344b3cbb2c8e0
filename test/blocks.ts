// The code blocks of the README and the guides, and who runs each. The first word of a fence is its language; a second one names the
// runner, where it is not the plain one of markdown.test.ts.

import { readdirSync, readFileSync } from 'node:fs'

/** The languages that each runner takes. A `shown` block is run by nobody, and its page has to say so. */
export const runners = {
  plain: ['js', 'ts', 'sh'],
  workers: ['js'],
  page: ['html'],
  csp: ['http'],
  playwright: ['js'],
  phaser: ['js'],
  playcanvas: ['js'],
  pixi: ['js'],
  babylon: ['js'],
  'babylon-node': ['js'],
  cocos: ['ts'],
  minigame: ['js'],
  puerts: ['js'],
  godot: ['html'],
  defold: ['html'],
  unity: ['csharp', 'json'],
  inspector: ['html', 'js'],
  shown: ['gdscript', 'lua', 'csharp'],
} satisfies Record<string, string[]>

export type Runner = keyof typeof runners

export interface Block {
  page: string
  /** Its place among the blocks of the page, from 1. */
  at: number
  language: string
  runner: Runner
  code: string
}

const root = new URL('../', import.meta.url)
export const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8')
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))
export const blocks: Block[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, info = '', code = ''], at) => {
    const [language = '', runner = 'plain'] = info.split(' ')
    return { page, at: at + 1, language, runner: runner as Runner, code }
  }),
)
export const blocksOf = (...names: Runner[]) => blocks.filter(({ runner }) => names.includes(runner))

/** What a block says that it prints: the comment behind each console.log. */
export function printsOf({ code }: Block): string[] {
  return [...code.matchAll(/console[.]log\([^\n]*\) [/][/] (.*)$/gm)].map(([, printed = '']) => printed)
}
