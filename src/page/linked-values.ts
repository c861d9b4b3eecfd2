/**
 * Values that answers show, for operations that ask for one: `/orders/{id}` gets an id that `/orders` has listed. Producers and
 * consumers know one another by the names of things and of their properties, as people name them.
 */
import { jsonOf } from './json.ts'
import { plainName, singular } from './names.ts'

export interface LinkedValues {
  /** Takes what the answer to an address shows. Texts that are no JSON show nothing. */
  readonly saw: (address: string, text: string) => void
  /**
   * A value for what is called so; undefined where none was seen. `of`: what it stands behind, the folder of a path or the key
   * that holds it.
   */
  readonly find: (name: string, of: string | null) => string | undefined
  /** The first that was seen of the thing `of` under this very name: what it holds now. */
  readonly held: (name: string, of: string) => string | undefined
  /** All that were seen under the surest of its names, in their order. */
  readonly all: (name: string, of: string | null) => readonly string[]
  /** The property of the thing `of` under which this value was seen, `title`; undefined where none was, or it may be any number. */
  readonly propertyOf: (value: string, of: string | null) => string | undefined
}

/** Characters of an answer that are read, parts of it, and values that are kept of one property. */
const MOST_TEXT = 512 * 1024
const MOST_NODES = 5_000
const MOST_NAMES = 20_000
/** Values that are kept of one name. */
const MOST_VALUES = 200
const DEEPEST = 8
const LONGEST = 200
/** Names that say nothing of the thing they hold. */
const HOLDERS =
  /^(?:data|items?|results?|content|contents|rows?|list|values?|records?|entries|nodes?|edges|hits|payload|response|body|objects?|elements?|embedded|members?|docs|page|collection)$/
/** By which things are named, the likeliest first. */
const KEYS = ['id', 'uuid', 'guid', 'key', 'slug', 'code', 'name', 'number', 'username', 'handle', 'ref']
/** The longest first: a uuid ends with id. */
const SUFFIXES = KEYS.toSorted((a, b) => b.length - a.length)
const VERSION = /^v\d+(?:\.\d+)*$/

export const createLinkedValues = (): LinkedValues => {
  /** Values by thing and property, `order id`; by property alone; and of lists of plain values by thing. */
  const known = new Map<string, string[]>()
  const put = (name: string, value: unknown): void => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    if (text === '' || text.length > LONGEST) return
    const before = known.get(name)
    if (before === undefined) {
      if (known.size < MOST_NAMES) known.set(name, [text])
    } else if (before.length < MOST_VALUES && !before.includes(text)) before.push(text)
  }
  const take = (value: unknown, thing: string, room: { left: number }, depth: number): void => {
    room.left -= 1
    if (room.left < 0 || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const one of value) {
        if (typeof one === 'object') take(one, thing, room, depth + 1)
        else put(`${thing} `, one)
      }
      return
    }
    if (typeof value !== 'object' || value === null) return
    for (const [key, one] of Object.entries(value)) {
      const name = plainName(key)
      put(`${thing} ${name}`, one)
      put(` ${name}`, one)
      if (typeof one === 'object') take(one, HOLDERS.test(name) ? thing : singular(name), room, depth + 1)
    }
  }
  const valuesOf = (name: string, of: string | null): readonly string[] => {
    const thing = of === null ? '' : singular(plainName(of))
    return (
      namesFor(plainName(name), thing)
        .map((one) => known.get(one))
        .find((one) => one !== undefined) ?? []
    )
  }
  return {
    saw: (address, text) => {
      if (text.length > MOST_TEXT || !/^\s*[[{]/.test(text)) return
      const value = jsonOf(text)
      if (value !== undefined) take(value, thingAt(address), { left: MOST_NODES }, 0)
    },
    find: (name, of) => valuesOf(name, of)[0],
    held: (name, of) => known.get(`${singular(plainName(of))} ${plainName(name)}`)?.[0],
    all: valuesOf,
    propertyOf: (value, of) => {
      const thing = of === null ? '' : singular(plainName(of))
      if (thing === '' || /^\d+$/.test(value)) return undefined
      const names = [...known].flatMap(([name, values]) =>
        name.startsWith(`${thing} `) && values.includes(value) ? [name.slice(thing.length + 1)] : [],
      )
      return KEYS.find((key) => names.includes(key)) ?? names.find((name) => name !== '')
    },
  }
}

/** Under which names a value may have been seen, the surest first. */
const namesFor = (wanted: string, thing: string): readonly string[] => {
  const suffix = SUFFIXES.find((key) => wanted.endsWith(key) && wanted.length > key.length)
  const owner = suffix === undefined ? '' : singular(wanted.slice(0, -suffix.length))
  const isKey = KEYS.includes(wanted)
  // Of a place that is called by its folder: what stands under that name in an answer is how many there are, `"orders": 2`.
  const isFolder = wanted !== thing && singular(wanted) === thing
  return [
    ...(isFolder ? [] : [`${thing} ${wanted}`]),
    ...(suffix === undefined ? [] : [`${owner} ${suffix}`, ...KEYS.slice(0, 2).map((key) => `${owner} ${key}`)]),
    ...(isKey || isFolder ? [] : [` ${wanted}`]),
    ...(suffix !== undefined && suffix !== 'name' ? [`${thing} ${suffix}`] : []),
    ...(singular(wanted) === thing ? KEYS.map((key) => `${thing} ${key}`) : []),
    ...(isKey || singular(wanted) === thing || owner === thing ? [`${thing} `] : []),
    ...(CURSORS.has(wanted) ? NEXT : []),
  ]
}

/** What goes on with a list where it ended takes what its answer says is next, as interfaces name the two. */
const CURSORS = new Set(
  'cursor after startcursor startingafter pagetoken nexttoken nextcursor continuation continuationtoken marker startingtoken'.split(
    ' ',
  ),
)
const NEXT = 'nextcursor endcursor nextpagetoken nexttoken pagetoken continuationtoken nextmarker cursor next'
  .split(' ')
  .map((name) => ` ${name}`)

/** What is asked of things, behind them: `/orders/list` is of orders. */
const ASKED_OF =
  /^(?:list|all|search|find|query|filter|mine|own|my|recent|latest|newest|index|paged?|table|overview|get|fetch|_?all)$/i

/** The last segment of an address that is a name of things, in the singular: what a list is of. */
const thingAt = (address: string): string => {
  const segments = new URL(address).pathname
    .split('/')
    .filter((one) => /^[a-z_][\w.-]*$/i.test(one) && !VERSION.test(one))
  return singular(plainName(segments.findLast((one) => !ASKED_OF.test(one)) ?? segments.at(-1) ?? ''))
}
