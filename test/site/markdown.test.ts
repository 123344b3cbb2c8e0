// The parts that make the pages.

import { describe, expect, it } from 'vitest'

const part = (name: string) => import(new URL(`../../docs/site/${name}.mjs`, import.meta.url).href)
const { renderMarkdown } = await part('markdown')
const { inlinePicture } = await part('picture')
const { highlight } = await part('highlight')
const { hostsOf, grouped } = await part('facts')
const render = (text: string) => renderMarkdown(text, { link: (href: string) => `at/${href}`, picture: (src: string) => `[${src}]` })

describe('markdown', () => {
  it('has the anchors that GitHub makes', async () => {
    const { headings, title } = await render(
      '# A page\n\n## What `login()` does\n\n## In C#, v1.2_x\n\n## Again\n\n## Again\n\n### Ünïcode & co.\n',
    )
    expect(title).toBe('A page')
    expect(headings.map(({ id }: { id: string }) => id)).toEqual(['what-login-does', 'in-c-v12_x', 'again', 'again-1', 'ünïcode--co'])
  })

  it('turns links, leaves addresses elsewhere, and drops comments', async () => {
    const { html } = await render('<!-- a note -->\n\n[in](x.md#y) and [out](https://example.com)\n\n![A view](a.svg)\n')
    expect(html).toContain('href="at/x.md#y"')
    expect(html).toContain('href="https://example.com" rel="noreferrer"')
    expect(html).toContain('[a.svg]')
    expect(html).not.toContain('a note')
  })

  it('aligns columns by a class, and lets tables scroll', async () => {
    const { html } = await render('| a | b | c |\n| --- | ---: | :-: |\n| 1 | 2 | 3 |\n')
    expect(html).toContain('<div class="table"><table>')
    expect(html).toContain('<td>1</td>\n<td class="right">2</td>\n<td class="center">3</td>')
  })

  it('gives the search its text by section, code included', async () => {
    const { sections, description } = await render('# P\n\nFirst words.\n\n## S\n\n```js\nplayer.track()\n```\n')
    expect(description).toBe('First words.')
    expect(sections).toEqual([
      { id: '', heading: '', text: 'First words.' },
      { id: 's', heading: 'S', text: 'player.track()' },
    ])
  })
})

describe('code', () => {
  it('is coloured by classes, and harmless', async () => {
    const html = await highlight("const a = '<b>' // x", 'js')
    expect(html).toContain('<span class="t-keyword">const </span>')
    expect(html).toContain('&lt;b&gt;')
    expect(html).toContain('<span class="t-comment">// x</span>')
    expect(html).not.toContain('style=')
  })

  it.each(['csharp', 'gdscript', 'lua', 'html', 'json', 'yaml', 'sh', 'ts'])('in %s has colours', async (language) => {
    expect(await highlight('local a = "b" # { "c": 1 }\nif: x\n<a b="c"></a>', language)).toContain('class="t-')
  })

  it('in an unknown language is shown as it is', async () => {
    expect(await highlight('a\n', 'klingon')).toBe('<div class="code"><pre><code>a</code></pre></div>')
  })
})

describe('pictures', () => {
  const svg = (body: string) =>
    `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">${body}</svg>`

  it('take the colours of the page', () => {
    const body =
      '<style>svg { --ink: red; font-size: 3px } @media (prefers-color-scheme: dark) { svg { --ink: blue } } .box { fill: var(--ink) }</style>'
    const { html, css } = inlinePicture(
      'docs/pictures/way.svg',
      svg(`${body}<rect class="box" style="stroke: var(--line); fill: none"/>`),
      'The way',
    )
    expect(html).toContain('role="img" aria-label="The way"')
    expect(html).toContain('<rect class="box" stroke="var(--line)" fill="none"/>')
    expect(html).not.toMatch(/style|xml version/)
    expect(css).not.toMatch(/--ink:/)
    expect(css).toMatch(/^[.]picture-way [{]\n& [{] +font-size: 3px [}]/)
  })

  it('have ids of their own', () => {
    const body = '<title id="t">T</title><marker id="m"/><path marker-end="url(#m)"/><use href="#m"/>'
    const { html } = inlinePicture('a.svg', svg(body).replace('<svg', '<svg aria-labelledby="t"'), 'x')
    for (const piece of ['id="picture-a-m"', 'url(#picture-a-m)', 'href="#picture-a-m"', 'aria-labelledby="picture-a-t"'])
      expect(html).toContain(piece)
  })

  it('may only draw', () => {
    for (const body of ['<script>1</script>', '<rect onclick="x()"/>', '<image href="https://example.com"/>']) {
      expect(() => inlinePicture('a.svg', svg(body), '')).toThrow('a.svg: a picture may only draw')
    }
  })
})

describe('facts', () => {
  it('are read from the table of hosts', () => {
    const text =
      '<!-- table: x -->\n\n| host | a | b | what it is |\n| --- | :-: | :-: | --- |\n| One | yes | no | first |\n\n<!-- end of table -->\n'
    expect(hostsOf(text)).toEqual({ steps: ['a', 'b'], hosts: [{ name: 'One', done: [true, false], what: 'first' }] })
    expect(() => hostsOf('no table')).toThrow('docs/hosts.md has lost the markers')
  })

  it('group their digits', () => expect([7, 1234, 1234567].map(grouped)).toEqual(['7', '1\u00a0234', '1\u00a0234\u00a0567']))
})
