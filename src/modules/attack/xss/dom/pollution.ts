/**
 * Prototype pollution: an address sets a member of every object of the page. Which ways in are open the page itself shows; which
 * members its scripts read from there, and nobody set, too. Then each is filled, to see which of them reaches a sink.
 */
import { hashRouteOf } from '../../../../page/shape.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import { plain, type Source } from './sources.ts'

/** Parameters that may hold JSON. */
const MOST_PARAMETERS = 3
/** Members in one address: one too many of them can stop a page before it comes to the one that matters. */
export const MEMBERS_AT_ONCE = 12

/** Ways in which parsers of parameters name a member of the prototype. */
const NAMED: readonly ((member: string) => string)[] = [
  (member) => `__proto__[${member}]`,
  (member) => `constructor[prototype][${member}]`,
  (member) => `__proto__.${member}`,
  (member) => `constructor.prototype.${member}`,
]

/** Likewise of those that split names at a sign of their own. */
const splitAt = (sign: string): readonly ((member: string) => string)[] => [
  (member) => `__proto__${sign}${member}`,
  (member) => `constructor${sign}prototype${sign}${member}`,
]
/** Signs at which code of the page splits texts. */
const MOST_SIGNS = 3

type Members = readonly (readonly [name: string, value: string])[]

/** A way in which an address may set members of every object. */
export interface Way {
  readonly kind: 'query' | 'fragment'
  /** Of the parameter; null for the fragment as a whole. */
  readonly nameOf: (member: string) => string | null
  readonly address: (url: string, members: Members) => string
}

/** `names`: parameters that the page has or reads. */
export const waysInto = (names: readonly string[]): readonly Way[] => [
  ...inPairs(NAMED),
  ...names.slice(0, MOST_PARAMETERS).map(
    (name): Way => ({
      ...{ kind: 'query', nameOf: () => name },
      address: (url, members) => withPair(url, name, jsonOf(members)),
    }),
  ),
  {
    ...{ kind: 'fragment', nameOf: () => null },
    address: (url, members) => `${url.split('#')[0]}#${encodeURIComponent(jsonOf(members))}`,
  },
]

/** Where the page's own code splits names, of itself. */
export const waysBySigns = (signs: readonly string[]): readonly Way[] => inPairs(signs.flatMap(splitAt))

const inPairs = (ways: readonly ((member: string) => string)[]): readonly Way[] => [
  ...ways.map(
    (way): Way => ({
      ...{ kind: 'query', nameOf: way },
      address: (url, members) => members.reduce((so, [name, value]) => withPair(so, way(name), value), url),
    }),
  ),
  ...ways.map(
    (way): Way => ({
      ...{ kind: 'fragment', nameOf: way },
      address: (url, members) =>
        `${url}${joinerOf(url)}${members.map(([name, value]) => `${way(name)}=${encodeURIComponent(value)}`).join('&')}`,
    }),
  ),
]

/**
 * Signs at which this code splits texts, one or two characters each, those aside that part an address into parameters and that the
 * known ways have.
 */
export const signsIn = (code: string): readonly string[] => {
  const split = [
    ...code.matchAll(
      /\.split\(\s*(?:(["'`])([^\w\s"'`\\]{1,2}|__|_)\1|\/(\[[^\]\n]{1,8}\]|\\[^\w\s]|[^\w\s/[\\])[+*]?\/)/g,
    ),
  ]
  const signs = split.flatMap(([, , text = '', pattern = '']) =>
    text !== ''
      ? [text]
      : [...pattern.replace(/^\[(.+)\]$/s, '$1').replaceAll('\\', '')].filter((sign) => /[^\w\s^]/.test(sign)),
  )
  return [...new Set(signs)].filter((sign) => !/^[&=?#;.[\],]$/.test(sign)).slice(0, MOST_SIGNS)
}

/** Before a parameter behind the #; a route there has a query of its own. */
const joinerOf = (url: string): string => {
  const route = hashRouteOf(url)
  if (route !== null) return route.includes('?') ? '&' : '?'
  return url.includes('#') ? '&' : '#'
}

/** What stands in the fragment stays there. */
const withPair = (url: string, name: string, value: string): string => {
  const [address = '', fragment] = url.split(/#(.*)/s)
  const query = withQuery(address, name, value)
  return fragment === undefined ? query : `${query}#${fragment}`
}

/** Members that the ways are tried with: each its own, so that the page shows which of them is open. */
export const memberOf = (way: number): string => `qxp${way}`

/** Addresses in which all ways are tried: the fragment holds either parameters or JSON. */
export const triesOf = (url: string, ways: readonly Way[]): readonly string[] => {
  const all = ways.map((way, index) => ({ way, index }))
  const whole = all.filter(({ way }) => way.nameOf('') === null)
  const parts = all.filter((one) => !whole.includes(one))
  const tried = (list: typeof all): string =>
    list.reduce((so, { way, index }) => way.address(so, [[memberOf(index), '1']]), url)
  return [parts, whole].filter(({ length }) => length > 0).map(tried)
}

/** What fills these members, each with a word of its own, in one address. */
export const pollutedBy = (
  url: string,
  way: Way,
  members: readonly string[],
  word: () => string,
): { readonly url: string; readonly sources: readonly Source[] } => {
  const sources = members.map((member): Source => {
    const name = way.nameOf(member)
    return { kind: way.kind, name, word: word(), with: (value) => plain(way.address(url, [[member, value]])) }
  })
  return {
    url: way.address(
      url,
      sources.map(({ word: own }, index) => [members[index] ?? '', own] as const),
    ),
    sources,
  }
}

/** Written by hand: an object of ours would take `__proto__` for its own. */
const jsonOf = (members: Members): string =>
  `{"__proto__":{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}}`

const MOST_MEMBERS = 4_000
/** What makes properties what they are, and what every promise and every JSON asks for: watched, they would break the page. */
const PARTS: ReadonlySet<string> = new Set('get set value writable enumerable configurable then toJSON'.split(' '))

/** Names of members that this code may read from any object. */
export const membersIn = (code: string): readonly string[] => {
  const read = [...code.matchAll(/\.\s*([a-z_$][\w$]{0,40})|\[\s*["']([\w$-]{1,40})["']\s*\]/gi)].map(
    ([, dotted = '', quoted = '']) => dotted || quoted,
  )
  const unpacked = [...code.matchAll(/\{([\w$\s,:=]{1,400})\}\s*=/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.split(/[:=]/)[0]?.trim() ?? ''),
  )
  const names = new Set([...read, ...unpacked])
  return [...names]
    .filter((name) => name !== '' && !(name in Object.prototype) && !PARTS.has(name))
    .slice(0, MOST_MEMBERS)
}

/**
 * What runs in a page before its own code, as text: tells, in `__sondeReads`, which of these members are asked of objects that have
 * none of that name, from the moment on that the page has polluted its prototypes.
 */
export const readsOf = (members: readonly string[]): string => `(() => {
  const reads = new Set()
  Object.defineProperty(window, '__sondeReads', { get: () => [...reads].slice(0, 400) })
  const own = Object.defineProperty
  const isOpen = () => { for (let way = 0; way < 20; way += 1) if (Object.hasOwn(Object.prototype, 'qxp' + way)) return true; return false }
  for (const name of ${JSON.stringify(members)}) {
    if (Object.hasOwn(Object.prototype, name)) continue
    own(Object.prototype, name, {
      configurable: true,
      get() { if (this !== window && !(this instanceof Node) && isOpen()) reads.add(name); return undefined },
      set(value) { own(this, name, { value, writable: true, enumerable: true, configurable: true }) },
    })
  }
})()`

/** Gives how much the page says. */
export const SAYS = 'document.body ? document.body.innerText.length : 0'
/** Gives the members that were asked for, and how much the page says beside them. */
export const READS = `({ reads: window.__sondeReads || [], says: ${SAYS} })`
