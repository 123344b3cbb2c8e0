// Compiles C# as old Unity versions would take it, and starts what came out, with `__Internal` mapped to the way into the page.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { here, tool, unityPackage, work } from './link.ts'

const runtime = join(unityPackage, 'Runtime')
export const sources = readdirSync(runtime)
  .filter((name) => name.endsWith('.cs'))
  .map((name) => join(runtime, name))

/** The package and some scripts of a game, compiled together; any warning is an error. Gives the file. */
export async function compile(name: string, files: string[], { web }: { web: boolean }): Promise<string> {
  const out = join(work, name)
  const flags = ['-langversion:7', '-warnaserror+', ...(web ? ['-d:UNITY_WEBGL'] : ['-d:UNITY_EDITOR', '-d:UNITY_WEBGL'])]
  const kind = name.endsWith('.dll') ? 'library' : 'exe'
  await tool('mcs', [
    ...flags,
    `-target:${kind}`,
    `-out:${out}`,
    ...['UnityStub.cs', 'Frame.cs'].map((file) => join(here, file)),
    ...sources,
    ...files,
  ])
  return out
}

let native: Promise<string> | undefined

/** A program that can reach the page. */
export async function compileForPage(name: string, files: string[]): Promise<string> {
  native ??= buildNative()
  const program = await compile(name, files, { web: true })
  writeFileSync(`${program}.config`, `<configuration><dllmap dll="__Internal" target="${await native}"/></configuration>`)
  return program
}

async function buildNative(): Promise<string> {
  const out = join(work, 'libpage.so')
  await tool('cc', ['-shared', '-fPIC', '-Wall', '-Werror', '-o', out, join(here, 'native.c')])
  return out
}

/** Runs a program to its end and gives what it has printed. */
export const run = (program: string, env: Record<string, string> = {}) => tool('mono', [program], env)
