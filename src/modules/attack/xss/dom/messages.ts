/** Messages that a page's listeners may take in, read from their source: names of members, and words they compare with. */

import { FOREIGN as FOREIGN_END, FOREIGN_START } from '../browser/approach.ts'

export interface Message {
  /** Sent as the text of its JSON. */
  readonly json: boolean
  /** Holds the word wherever a text can stand. */
  readonly value: unknown
}

const MOST = 14
const MOST_NAMES = 20
const MOST_WORDS = 6
/** Members of events, windows and elements, not of what is sent. */
const FOREIGN: ReadonlySet<string> = new Set(
  `origin source ports addEventListener removeEventListener postMessage getElementById querySelector querySelectorAll
  innerHTML outerHTML textContent innerText appendChild append createElement setAttribute classList style length
  indexOf includes startsWith endsWith match test split join map filter forEach push parse stringify log warn error
  insertAdjacentHTML write writeln open assign replace call apply bind then catch preventDefault toString prototype
  location document window parent self top console body head documentElement`.split(/\s+/),
)

export const messagesFor = (listeners: readonly string[], word: string): readonly Message[] => {
  const code = listeners.join('\n')
  const names = namesIn(code)
  const flat = Object.fromEntries(names.map((name) => [name, word]))
  const shapes: unknown[] = [flat]
  for (const { name, value } of comparisons(code)) {
    if (name === null) for (const key of names) shapes.push({ ...flat, [key]: value })
    else shapes.push({ ...flat, [name]: value })
  }
  for (const name of holders(code)) {
    if (!names.includes(name)) continue
    shapes.push(...shapes.slice(0, 4).map((one) => ({ ...(one as object), [name]: flat })))
  }
  const objects = names.length === 0 ? [] : shapes
  const asText = /JSON\s*\.\s*parse/.test(code)
  return [
    { json: false, value: word },
    ...objects.map((value) => ({ json: asText, value })),
    ...(asText ? objects.slice(0, 2).map((value) => ({ json: false, value })) : []),
  ].slice(0, MOST)
}

const MOST_ORIGINS = 4
/** `event.origin.indexOf('shop.example')`, `origin.endsWith("example.org")`, `/shop\\.example/.test(event.origin)`. */
const PARTS: readonly RegExp[] = [
  /origin\s*\??\.\s*(indexOf|includes|startsWith|endsWith|match|search)\s*\(\s*(["'`/])([^"'`\n]{3,100}?)\2/g,
  /(\/)((?:\\\/|[^/\n]){3,100})\/[a-z]*\s*\.\s*test\s*\(\s*[\w$.?]*origin/g,
]

/**
 * Origins of nobody that a listener takes for one it knows, where it looks at a part of them: its words at the beginning of a longer
 * name, or at the end of one. `url` is the page's.
 */
export const originsFor = (listeners: readonly string[], url: string): readonly string[] => {
  const code = listeners.join('\n')
  const found = PARTS.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap((match) => {
      const text = (match.length > 3 ? match[3] : match[2]) ?? ''
      const [, scheme, host = ''] =
        /^(https?)?(?:s\?)?:?\/*(.*)$/i.exec(text.replace(/\\(.)/g, '$1').replace(/^\^|\$$/g, '')) ?? []
      const known = host.replace(/\/+$/, '').toLowerCase()
      if (!/^\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/.test(known)) return []
      const protocol = scheme === undefined ? new URL(url).protocol : `${scheme.toLowerCase()}:`
      const begins = known.startsWith('.') || known.includes(':') ? [] : [`${protocol}//${known}${FOREIGN_END}`]
      // Behind a dot every name belongs to whom it ends with.
      return [...begins, ...(known.startsWith('.') ? [] : [`${protocol}//${FOREIGN_START}${known}`])]
    }),
  )
  return [...new Set(found)].slice(0, MOST_ORIGINS)
}

/** The message with the payload in place of the word. */
export const withPayload = (message: Message, word: string, payload: string): unknown => {
  const value = replaced(message.value, word, payload)
  return message.json ? JSON.stringify(value) : value
}

const replaced = (value: unknown, word: string, payload: string): unknown => {
  if (typeof value === 'string') return value.replaceAll(word, payload)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, word, payload))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner, word, payload)]))
}

/** Names of members that code reads or unpacks, those of events, windows and elements left out. */
export const namesIn = (code: string): readonly string[] => {
  const members = [...code.matchAll(/\??\.\s*([a-z_$][\w$]{0,40})|\[\s*['"]([\w$-]{1,40})['"]\s*\]/gi)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  const unpacked = [...code.matchAll(/\{([^{}]{1,400})\}\s*=/g)].flatMap((match) =>
    (match[1] ?? '').split(',').map((one) => one.split(/[:=]/)[0]?.trim() ?? ''),
  )
  return (
    [...new Set([...unpacked, ...members])]
      .filter((name) => /^[\w$-]+$/.test(name) && !FOREIGN.has(name))
      // Of the event itself, unless what is sent has a member of that name, too.
      .filter((name) => name !== 'data' || /\bdata\s*\??\.\s*data\b/.test(code))
      .slice(0, MOST_NAMES)
  )
}

/** `name === 'word'`, `case 'word'`: what a message has to say to be listened to. */
const comparisons = (code: string): readonly { readonly name: string | null; readonly value: string }[] => {
  const found: { name: string | null; value: string }[] = []
  for (const match of code.matchAll(/([\w$]+)\s*[!=]==?\s*(['"`])([^'"`\n]{1,60})\2/g))
    found.push({ name: match[1] ?? null, value: match[3] ?? '' })
  for (const match of code.matchAll(/(['"`])([^'"`\n]{1,60})\1\s*[!=]==?\s*(?:[\w$]+\??\.){0,4}([\w$]+)/g))
    found.push({ name: match[3] ?? null, value: match[2] ?? '' })
  const switched = /switch\s*\([^)]*?([\w$]+)\s*\)/.exec(code)?.[1] ?? null
  for (const match of code.matchAll(/case\s*(['"`])([^'"`\n]{1,60})\1/g))
    found.push({ name: switched, value: match[2] ?? '' })
  return found.filter(({ name }) => name !== 'origin' && name !== 'data').slice(0, MOST_WORDS)
}

/** Names with members of their own: `data.payload.html`. */
const holders = (code: string): readonly string[] =>
  [...new Set([...code.matchAll(/\.\s*([a-z_$][\w$]{0,40})(?=\s*\??\.\s*[a-z_$])/gi)].map((match) => match[1] ?? ''))]
    .filter((name) => !FOREIGN.has(name) && name !== 'data')
    .slice(0, 2)
