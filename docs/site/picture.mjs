// SVG files put into the page itself, where they follow its theme: they draw with currentColor and the variables --ink, --paper, --accent,
// --muted and --line. Their style sheets go to a file of the site, since the pages allow no inline style.

import { basename } from 'node:path'
import { escapeHtml } from './highlight.mjs'

/** The theme's variables; a file may give them values for readers outside the site. */
const given = /--(ink|paper|accent|muted|line)\s*:[^;}]*;?/g

/**
 * @param {string} file its name makes the ids in it unique on a page
 * @param {string} svg
 * @param {string} alt what the picture shows, for those who cannot see it
 * @returns {{ html: string, css: string }}
 */
export function inlinePicture(file, svg, alt) {
  const name = `picture-${basename(file, '.svg')}`
  if (/<script|\son[a-z]+=|<foreignObject|<image/i.test(svg)) throw new Error(`${file}: a picture may only draw`)
  const sheets = []
  const body = svg
    .replace(/<[?]xml[^>]*>|<!DOCTYPE[^>]*>|<!--.*?-->/gs, '')
    .replace(/<style[^>]*>(.*?)<\/style>/gs, (_, sheet) => {
      sheets.push(sheet.replace(/<!\[CDATA\[|\]\]>/g, ''))
      return ''
    })
    // An attribute of the same name does what the style would have done.
    .replace(/\sstyle="([^"]*)"/g, (_, style) =>
      style
        .replace(given, '')
        .replace(/\s*([\w-]+)\s*:\s*([^;]+?)\s*(;|$)/g, ' $1="$2"')
        .trimEnd(),
    )
    .replace(/\sid="([^"]+)"/g, ` id="${name}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${name}-$1)`)
    .replace(/(\s(?:xlink:)?href=")#/g, `$1#${name}-`)
    .replace(/(\saria-(?:labelledby|describedby)=")([^"]*)/g, (_, start, ids) => start + ids.replace(/\S+/g, `${name}-$&`))
    .trim()
    .replace(/^<svg([^>]*)>/, (_, attributes) => {
      const plain = attributes.replace(/\s(height|class|role)="[^"]*"/g, '')
      const label = /\saria-label/.test(plain) ? '' : ` aria-label="${escapeHtml(alt)}"`
      return `<svg class="${name}"${plain} role="img"${label}>`
    })
  if (!body.startsWith('<svg')) throw new Error(`${file}: this is no SVG`)
  // Nested, so that the rules of one picture do not reach another.
  const css = sheets
    .map((sheet) => sheet.replace(given, '').replace(/:root|(^|[\s,}])svg(?=[\s,{])/g, '$1&'))
    .map((sheet) => `.${name} {\n${sheet}\n}\n`)
    .join('')
  return { html: `<span class="picture">${body}</span>`, css }
}
