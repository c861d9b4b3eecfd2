/** As much of XML as Recog's files use: elements, attributes, text, comments, the five entities and numeric ones. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

const MOST_BYTES = 16 * 1024 * 1024
const DEEPEST = 16

/** `deepest`: elements in one another. @throws RangeError where the text is no such document */
export const parseXml = (source: string, deepest = DEEPEST): XmlElement => {
  if (source.length > MOST_BYTES) throw new RangeError('an XML file of more than 16 MiB')
  const root = open('', {})
  const path = [root]
  const token =
    /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)|(<)/g
  for (const [, literal, closing, name = '', attributes = '', empty, text, stray] of source.matchAll(token)) {
    const top = path.at(-1) ?? root
    if (stray !== undefined) throw new RangeError('a "<" that begins nothing')
    if (literal !== undefined) top.text += literal
    else if (text !== undefined) top.text += plainText(text)
    else if (name === '') continue
    else if (closing) {
      if (path.length < 2 || top.name !== name) throw new RangeError(`</${name}> closes nothing`)
      path.pop()
    } else {
      const element = open(name, readAttributes(attributes))
      top.children.push(element)
      if (!empty) path.push(element)
      if (path.length > deepest) throw new RangeError('elements too deep')
    }
  }
  const [document] = root.children
  if (path.length !== 1 || !document) throw new RangeError('the document does not end')
  return document
}

interface Open extends XmlElement {
  readonly children: Open[]
  text: string
}

const open = (name: string, attributes: Readonly<Record<string, string>>): Open => ({
  name,
  attributes,
  children: [],
  text: '',
})

const readAttributes = (text: string): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const [, name = '', double, single] of text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found[name] = plainText(double ?? single ?? '')
  }
  return found
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const plainText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,6}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
