// The built pages as files: what each has to have, where its links lead, and whether the numbers on the home page are true.

import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pages, site, textOf } from './static.ts'

const root = new URL('../../', import.meta.url)
const repository = (file: string) => readFileSync(new URL(file, root), 'utf8')
/** The frame of the demo and the API reference is not ours to check here. */
const framed = pages.filter((page) => !/^(api|demo)[/]/.test(page))
const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/<(?:a|link|script|img)\s[^>]*?(?:href|src)="([^"]*)"/g)].map(([, link = '']) => unescaped(link))
const idsOf = (page: string) => new Set([...textOf(page).matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => unescaped(id)))

describe('pages', () => {
  it('are there', () => expect(framed.length).toBeGreaterThan(25))

  it.each(framed)('%s has language, title, description, viewport, a policy and one main heading', (page) => {
    const html = textOf(page)
    const head = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
    expect(head(/^<!doctype html>\n<html lang="([^"]*)">/)).toBe('en')
    expect(head(/<title>([^<]*)<[/]title>/)).toMatch(/.{5,}/)
    expect(head(/<meta name="description" content="([^"]*)">/)).toMatch(/^.{10,200}$/)
    expect(head(/<meta name="viewport" content="([^"]*)">/)).toBe('width=device-width, initial-scale=1')
    expect(head(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/)).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    )
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
  })

  it.each(framed)('%s has nothing inline that its policy would refuse, and no id twice', (page) => {
    const html = textOf(page)
    expect(html.match(/<[^>]*\sstyle="|<style|<script(?![^>]*\ssrc=)|\son[a-z]+="/g)).toBeNull()
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  it('have titles of their own', () => {
    const titles = framed.map((page) => /<title>([^<]*)/.exec(textOf(page))?.[1])
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })
})

describe('links', () => {
  const contract = textOf('openapi.yaml').toLowerCase()

  it.each(pages.filter((page) => !page.startsWith('api/')))('of %s lead somewhere', (page) => {
    const broken = linksOf(page).filter((link) => !leads(page, link))
    expect(broken).toEqual([])
  })

  it('of the search lead somewhere', () => {
    const entries = Object.values(JSON.parse(textOf('search-index.js').replace(/^[^{]*/, '')).storedFields) as { href: string }[]
    expect(entries.length).toBeGreaterThan(100)
    expect(entries.filter(({ href }) => !leads('index.html', href))).toEqual([])
  })

  it('reach every page from every page', () => {
    const named = new Set(linksOf('index.html'))
    const guides = framed.filter((page) => !page.startsWith('files/') && page !== '404.html')
    expect(guides.filter((page) => !named.has(page))).toEqual([])
    expect(named).toContain('api/index.html')
  })

  function leads(page: string, link: string): boolean {
    if (/^(https?|mailto|data):/.test(link)) return /^(https?|mailto)/.test(link) ? isText(page, link) : true
    if (link.startsWith('/')) return false
    const target = new URL(link, new URL(page, site))
    if (!target.href.startsWith(site.href)) return false
    const file = target.pathname.endsWith('/') ? new URL('index.html', target) : new URL(target.pathname, target)
    if (!existsSync(file)) return false
    const anchor = decodeURIComponent(target.hash.slice(1))
    const path = file.href.slice(site.href.length)
    if (!anchor || path.startsWith('demo/')) return true
    // The API reference makes its anchors in the browser, out of the ids of the contract.
    if (path === 'api/index.html') return contract.includes(anchor.split('/').at(-1) as string)
    return idsOf(decodeURIComponent(path)).has(anchor)
  }

  /** An address elsewhere is for readers to follow, never for the page to load. */
  function isText(page: string, link: string): boolean {
    const loads = new RegExp(`<(?:link|script|img)[^>]*"${link.replace(/[.?+*()[\]{}|^$\\]/g, '\\$&')}"`)
    return !loads.test(textOf(page))
  }
})

describe('the home page', () => {
  const home = textOf('index.html').replaceAll('\u00a0', ' ')
  const grouped = (bytes: number) => String(bytes).replace(/\B(?=(\d{3})+$)/g, ' ')
  const cells = (row: string) => row.split('|').map((cell) => cell.trim())

  it.each(['player-data.js', 'player-data.web.js', 'player-data.mjs'])('tells the size of %s', (file) => {
    const bytes = gzipSync(readFileSync(new URL(`dist/${file}`, root)), { level: 9 }).length
    expect(home).toMatch(new RegExp(`<code>${file}</code>.*?<td class="right">${grouped(bytes)}</td>`))
  })

  it('shows every host of the table in docs/hosts.md with its steps', () => {
    const [, table = ''] = /<!-- table.*?-->\n(.*)<!-- end of table -->/s.exec(repository('docs/hosts.md')) ?? []
    const rows = table.trim().split('\n').slice(2).map(cells)
    expect(rows.length).toBeGreaterThan(10)
    for (const [, name = '', ...rest] of rows) {
      const done = rest.filter((cell) => cell === 'yes').length
      expect(home).toMatch(new RegExp(`<th scope="row">${name.replace(/[()]/g, '\\$&')}</th>.*?${done} of 10</span>`))
    }
    expect(home.match(/<th scope="row">/g)).toHaveLength(rows.length)
    const whole = rows.filter((row) => row.filter((cell) => cell === 'yes').length === 10)
    expect(home).toContain(`<strong>${whole.length} of ${rows.length}</strong> hosts`)
  })

  it('repeats what the benchmarks say of a killed browser', () => {
    const row = repository('docs/benchmarks.md')
      .split('\n')
      .find((line) => /^[|] of .* SIGKILL at 50 ms/.test(line))
    const [, first = '', ours = ''] = cells(row ?? '')
    expect(home).toContain(`<strong>${ours} of ${/^of ([\d ]+),/.exec(first)?.[1]}</strong> events survive`)
  })

  it('has the three doors', () => {
    for (const door of ['Play', 'Embed', 'Generate your own client']) expect(home).toContain(`<h3>${door}</h3>`)
  })
})
