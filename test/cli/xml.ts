// A reader of XML that takes well-formed documents alone: elements, attributes, text, the five named entities and numbered ones.

export interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ATTRIBUTE = /\s+([A-Za-z_][\w-]*)="([^"<]*)"/y

/** The root element. Throws where the text is not well-formed. */
export function readXml(text: string): Element {
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) throw new Error('a character that XML does not allow')
  const body = text.replace(/^<[?]xml version="1[.]0" encoding="UTF-8"[?]>\s*/, '')
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  let at = 0
  while (at < body.length) {
    const parent = open.at(-1) as Element
    const next = body.indexOf('<', at)
    const words = body.slice(at, next < 0 ? undefined : next)
    if (words.includes('>')) throw new Error('a bare >')
    parent.text += decode(words)
    if (next < 0) break
    const [tag, closes = '', name = ''] = /^<([/]?)([A-Za-z_][\w-]*)/.exec(body.slice(next, next + 60)) ?? []
    if (tag === undefined) throw new Error(`no tag at ${next}`)
    at = next + tag.length
    const attributes: Record<string, string> = {}
    for (;;) {
      ATTRIBUTE.lastIndex = at
      const [whole, key = '', value = ''] = ATTRIBUTE.exec(body) ?? []
      if (whole === undefined) break
      if (key in attributes || closes) throw new Error(`attribute ${key} must not be there`)
      attributes[key] = decode(value)
      at += whole.length
    }
    const end = body.startsWith('/>', at) ? '/>' : '>'
    if (!body.startsWith(end, at) || (closes && end === '/>')) throw new Error(`the tag ${name} has no end`)
    at += end.length
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`${name} is closed, and not open`)
    } else {
      const element = { name, attributes, children: [], text: '' }
      parent.children.push(element)
      if (end === '>') open.push(element)
    }
  }
  const [root] = top.children
  if (!root || top.children.length > 1 || open.length > 1 || top.text.trim() !== '') throw new Error('not one closed root element')
  return root
}

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const character = /^#\d+$/.test(name) ? String.fromCodePoint(Number(name.slice(1))) : ENTITIES[name]
    if (character === undefined || !whole.endsWith(';')) throw new Error(`no such entity: ${whole}`)
    return character
  })
}
