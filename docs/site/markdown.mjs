// Markdown to what a page needs: its HTML, its headings, and its text by section for the search.

import markdownIt from 'markdown-it'
import { escapeHtml, highlight } from './highlight.mjs'

const markdown = markdownIt({ html: true, typographer: false })

/**
 * @typedef {object} Rendered
 * @property {string} html
 * @property {string} title the text of the first heading
 * @property {string} description the first paragraph
 * @property {{ level: number, id: string, text: string }[]} headings all but the title
 * @property {{ id: string, heading: string, text: string }[]} sections the text below each heading; the first has no heading
 */

/**
 * @param {string} text
 * @param {{ link: (href: string) => string, picture: (src: string, alt: string) => string }} site where links lead, and the HTML of a picture
 * @returns {Promise<Rendered>}
 */
export async function renderMarkdown(text, { link, picture }) {
  const tokens = markdown.parse(text, {})
  const taken = new Map()
  const headings = []
  const sections = [{ id: '', heading: '', text: '' }]
  let title = ''
  let description = ''

  for (const [at, token] of tokens.entries()) {
    const content = tokens[at + 1]
    if (token.type === 'heading_open') {
      const words = plainText(content.children)
      const id = anchorOf(words, taken)
      token.attrSet('id', id)
      if (token.tag === 'h1') {
        title ||= words
      } else {
        headings.push({ level: Number(token.tag.slice(1)), id, text: words })
        sections.push({ id, heading: words, text: '' })
        content.children.push(html(` <a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(words)}”">#</a>`))
      }
    } else if (token.type === 'inline') {
      if (tokens[at - 1]?.type !== 'heading_open') {
        const words = plainText(token.children)
        if (tokens[at - 1]?.type === 'paragraph_open') description ||= words
        sections.at(-1).text += ` ${words}`
      }
      for (const child of token.children) adapt(child)
    } else if (token.type === 'fence' || token.type === 'code_block') {
      sections.at(-1).text += ` ${token.content}`
      const code = await highlight(token.content, token.info.split(' ')[0])
      Object.assign(token, { type: 'html_block', content: `${code}\n` })
    } else if (token.type === 'html_block') {
      token.content = token.content.replace(/<!--.*?-->\n?/gs, '')
    } else if (token.type === 'th_open' || token.type === 'td_open') {
      // The parser says it by a style, which the pages do not allow.
      const [, align] = /text-align:(\w+)/.exec(token.attrGet('style') ?? '') ?? []
      token.attrs = align && align !== 'left' ? [['class', align]] : null
    }
  }

  function adapt(token) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href')
      if (/^[a-z]+:/.test(href)) token.attrSet('rel', 'noreferrer')
      else token.attrSet('href', link(href))
    } else if (token.type === 'image') {
      Object.assign(token, html(picture(token.attrGet('src'), token.content)))
    } else if (token.type === 'html_inline') {
      token.content = token.content.replace(/<!--.*?-->/gs, '')
    }
  }

  const page = markdown.renderer.render(tokens, markdown.options, {})
  return {
    html: page.replaceAll('<table>', '<div class="table"><table>').replaceAll('</table>', '</table></div>'),
    title,
    description,
    headings,
    sections: sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() })),
  }
}

/** As GitHub makes them, so that a link works there and here. @param {string} words @param {Map<string, number>} taken */
export function anchorOf(words, taken) {
  const plain = words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const times = taken.get(plain) ?? 0
  taken.set(plain, times + 1)
  return times === 0 ? plain : `${plain}-${times}`
}

function plainText(tokens) {
  return tokens
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'html_inline' ? '' : content))
    .join('')
}

function html(content) {
  return { type: 'html_inline', content }
}
