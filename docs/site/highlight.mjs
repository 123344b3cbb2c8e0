// Code in colours, made at build time. A token gets a class and no colour, so that one page serves both themes and no inline style is
// needed, which the pages' Content-Security-Policy would refuse.

import { bundledLanguages, createCssVariablesTheme, createHighlighter } from 'shiki'

const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--' })
const other = { csharp: 'csharp', html: 'html', mermaid: 'text', sh: 'bash', '': 'text' }
const highlighter = await createHighlighter({ themes: [theme], langs: [] })

/** A language that is not known is shown without colours. @param {string} code @param {string} language */
export async function highlight(code, language) {
  const name = other[language] ?? language
  const lang = name in bundledLanguages ? name : 'text'
  if (lang !== 'text') await highlighter.loadLanguage(lang)
  const { tokens } = highlighter.codeToTokens(code.replace(/\n$/, ''), { lang, theme: theme.name, tokenizeTimeLimit: 0 })
  const html = tokens.map((line) => joined(line).map(toHtml).join('')).join('\n')
  return `<div class="code"><pre><code>${html}</code></pre></div>`
}

/** Neighbours of one kind become one token: half the bytes. */
function joined(line) {
  const result = []
  for (const { content, color = '' } of line) {
    const kind = /^var[(]--token-([a-z-]+)[)]$/.exec(color)?.[1] ?? ''
    const last = result.at(-1)
    if (last && (last.kind === kind || content.trim() === '')) last.content += content
    else result.push({ content, kind })
  }
  return result
}

function toHtml({ content, kind }) {
  return kind ? `<span class="t-${kind}">${escapeHtml(content)}</span>` : escapeHtml(content)
}

/** @param {string} text */
export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
