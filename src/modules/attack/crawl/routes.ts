/**
 * Which addresses are answered by which code, learned from the pages seen. A value belongs to the address where the page is
 * built otherwise with another value: `index.php?page=about`. A numbered name is a name, unless there are so many, or all so
 * alike, that they are records.
 */
import { isAlike, isAskedAlike, isSamePage, type Look } from '../../../page/look.ts'
import { parametersOf, queryRouteOf } from '../../../page/segments.ts'
import { isNumberedName, isVariable, kindOf, nameShape, segmentShape, singleSlashes } from '../../../page/shape.ts'

export interface Routes {
  /** True where a page of this kind was never built like this, and is one of the first that are told apart. */
  readonly saw: (address: string, look: Look) => boolean
  /** It led elsewhere: no page of its own tells by which of its values it does. */
  readonly led: (address: string) => void
  /** A form sends there what people type: any value is one, and chooses no program. */
  readonly typed: (address: string, names: readonly string[]) => void
  /** Equal where the same code answers, as far as is known: `https://h/index.php?id&page=about`. */
  readonly of: (address: string) => string
}

interface Seen {
  readonly values: ReadonlyMap<string, string>
  /** Which of the looks of its kind it has. */
  readonly look: number
  readonly heading: string
  readonly page: Look | null
  /** Its path, records taken out and numbered names kept. */
  readonly program: string
}

interface Kind {
  readonly looks: Look[]
  readonly seen: Seen[]
  /** Values with which it led elsewhere. */
  readonly led: Pick<Seen, 'values' | 'program'>[]
  readonly headings: Set<string>
  /** Names of the parameters that people type. */
  readonly typed: Set<string>
  /** Whether its pages take values: by their query, or by a form that they send to themselves. */
  takesValues: boolean
  /** What chooses a page, by program where numbers tell those apart, else of all; empty where it is to be learned anew. */
  readonly chosen: Map<string, Chosen>
}

interface Chosen {
  /** Parameters whose values belong to the address. */
  readonly routing: readonly string[]
  /** Values of these, as `name=value`, that choose what also answers without them. */
  readonly defaults: ReadonlySet<string>
  /** Values of the first, as `name=value`, with which the second chooses nothing. */
  readonly alone: ReadonlySet<string>
}

const MAX_LOOKS = 64
const MAX_SEEN = 1_000
/** So many pages with numbered names are records. */
const RECORDS = 100
/** So many pages are enough to say that they are alike. */
const SAMPLE = 30

export const createRoutes = (): Routes => {
  const kinds = new Map<string, Kind>()
  const kindAt = (address: string): Kind => {
    const key = kindOf(address)
    const kind = kinds.get(key) ?? {
      looks: [],
      seen: [],
      led: [],
      headings: new Set(),
      typed: new Set(),
      takesValues: false,
      chosen: new Map(),
    }
    kinds.set(key, kind)
    return kind
  }
  return {
    led: (address) => {
      const kind = kindAt(address)
      const values = new Map(parametersOf(address))
      kind.takesValues ||= values.size > 0
      if (kind.led.length < MAX_SEEN) kind.led.push({ values, program: programAt(address) })
      kind.chosen.clear()
    },
    typed: (address, names) => {
      const { typed, chosen } = kindAt(address)
      const fresh = names.filter((name) => !typed.has(name) && !CHOOSES.test(name))
      for (const name of fresh) typed.add(name)
      if (fresh.length > 0) chosen.clear()
    },
    saw: (address, look) => {
      const kind = kindAt(address)
      const values = new Map(parametersOf(address))
      kind.takesValues ||= look.asksItself || values.size > 0
      // A filter that matches nothing is no other program.
      if (look.lacksRows) return false
      kind.headings.add(look.heading)
      const before = kind.looks.findIndex((one) => isAlike(one, look))
      const isNew = kind.looks.length < MAX_LOOKS && !kind.looks.some((one) => isAskedAlike(one, look))
      if (before < 0 && kind.looks.length < MAX_LOOKS) kind.looks.push(look)
      const at = before < 0 ? kind.looks.length - 1 : before
      if (kind.seen.length < MAX_SEEN)
        kind.seen.push({ values, look: at, heading: look.heading, page: look, program: programAt(address) })
      kind.chosen.clear()
      return isNew
    },
    of: (address) => {
      const url = new URL(singleSlashes(address))
      const kind = kinds.get(kindOf(address))
      const named = kind === undefined || !isOfRecords(kind)
      const { routing, defaults, alone } =
        kind === undefined ? NOTHING : chosenAt(kind, named ? programAt(address) : '')
      const [first = '', second] = routing
      const isAlone = alone.has(`${first}=${url.searchParams.get(first)}`)
      const shaped = (path: string): string => shapedWith(path, named)
      const route = queryRouteOf(url.href)
      const names = [...new Set(parametersOf(url.href).map(([name]) => name))].toSorted()
      const query = names.map((name) => {
        const value = url.searchParams.get(name) ?? ''
        const chooses = routing.includes(name) && !defaults.has(`${name}=${value}`) && !(isAlone && name === second)
        return chooses ? `${name}=${value.slice(0, 100)}` : nameShape(name)
      })
      const rest = [...(route === null ? [] : [shaped(route)]), ...new Set(query)]
      return `${url.origin}${shaped(url.pathname)}${rest.length > 0 ? `?${rest.join('&')}` : ''}`
    },
  }
}

const shapedWith = (path: string, named: boolean): string =>
  path
    .split('/')
    .map((one) => (named && isNumberedName(one) ? one : segmentShape(one)))
    .join('/')

const programAt = (address: string): string => shapedWith(new URL(singleSlashes(address)).pathname, true)

const NOTHING: Chosen = { routing: [], defaults: new Set(), alone: new Set() }

/** What `task_1.php` chooses by says nothing of `task_2.php`, but where nobody has seen more of it. `program`: '' for all of the kind. */
const chosenAt = ({ seen, led, typed, chosen }: Kind, program: string): Chosen => {
  const known = chosen.get(program)
  if (known) return known
  const isKnown = [...seen, ...led].some((one) => one.program === program)
  const of = <One extends { readonly program: string }>(list: readonly One[]): readonly One[] =>
    isKnown ? list.filter((one) => one.program === program) : list
  const routing = withNamed(routingOf(of(seen), typed), of(led))
  const made = { routing, defaults: defaultsOf(of(seen), routing), alone: aloneOf(of(seen), routing) }
  chosen.set(program, made)
  return made
}

const isOfRecords = ({ seen, looks, headings, takesValues }: Kind): boolean =>
  seen.length > 0 &&
  (!takesValues ||
    seen.length > RECORDS ||
    (seen.length >= SAMPLE && Math.max(looks.length, headings.size) <= seen.length / 10))

const MOST_ROUTING = 2
/** Share of the values that give a page of their own, at least: a record that is missing has another page, too. */
const OF_WORDS = 0.3
const OF_NUMBERS = 0.5
const FEWEST_NUMBERS = 3

/** The parameters by which a page is chosen, the one that explains most first. */
const routingOf = (seen: readonly Seen[], typed: ReadonlySet<string>): readonly string[] => {
  const chosen: string[] = []
  let rest = seen
  while (chosen.length < MOST_ROUTING) {
    const choices = [...new Set(rest.flatMap(({ values }) => [...values.keys()]))]
      .filter((name) => !chosen.includes(name) && !typed.has(name))
      .flatMap((name) => choiceBy(name, rest) ?? [])
    const [best] = choices
      .filter(({ name }) => !choices.some((other) => isWithin(name, other.name, rest)))
      .toSorted((a, b) => a.within - b.within || (a.name < b.name ? -1 : 1))
    if (best === undefined) return chosen
    chosen.push(best.name)
    rest = best.largest
  }
  return chosen
}

/** Whether only pages that another parameter chooses, by one value of its own, take it: what it chooses is part of those. */
const isWithin = (name: string, other: string, seen: readonly Seen[]): boolean => {
  const having = name === other ? [] : seen.filter(({ values }) => (values.get(name) ?? '') !== '')
  const [first, ...more] = having.map(({ values }) => values.get(other) ?? '')
  return first !== undefined && first !== '' && more.every((value) => value === first)
}

/**
 * What a front controller does where nothing is chosen has a name as well, and an encoding or a language that stands for itself changes
 * nothing: `/?page=home` and `/` are one program, so that what is wrong with it is told once. The pages say the same, word for word.
 */
const defaultsOf = (seen: readonly Seen[], routing: readonly string[]): ReadonlySet<string> => {
  const without = (one: Seen, name: string): string =>
    JSON.stringify([...one.values].filter(([other]) => other !== name).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return new Set(
    routing.flatMap((name) => {
      const plain = new Map(seen.filter(({ values }) => !values.has(name)).map((one) => [without(one, name), one]))
      const same = ({ page }: Seen, other: Seen): boolean =>
        page !== null && other.page !== null && isSamePage(page, other.page)
      return [...groupsBy(name, seen)].flatMap(([value, group]) => {
        const pairs = group.flatMap((one) => {
          const other = plain.get(without(one, name))
          return other === undefined ? [] : [same(one, other)]
        })
        return pairs.length > 0 && pairs.every(Boolean) ? [`${name}=${value}`] : []
      })
    }),
  )
}

/**
 * `?page=plan` chooses a text and `?page=plan&do=search` the search, whatever the text: pages of several values are built alike there, and
 * their titles differ in nothing.
 */
const aloneOf = (seen: readonly Seen[], [first, second]: readonly string[]): ReadonlySet<string> => {
  if (first === undefined || second === undefined || CHOOSES.test(second)) return new Set()
  return new Set(
    [...groupsBy(first, seen)].flatMap(([value, group]) => {
      const groups = [...groupsBy(second, group).values()]
      const built = new Set(groups.flat().map((one) => `${one.look} ${headingOf(one, second)}`))
      return groups.length >= FEWEST_ALONE && built.size === 1 ? [`${first}=${value}`] : []
    }),
  )
}
const FEWEST_ALONE = 3

/** Of what leads elsewhere the names alone tell. */
const withNamed = (routing: readonly string[], led: readonly Kind['led'][number][]): readonly string[] => {
  const seen = led.map((one): Seen => ({ ...one, look: 0, heading: '', page: null }))
  const names = [...new Set(led.flatMap(({ values }) => [...values.keys()]))].filter((name) => !routing.includes(name))
  return [...routing, ...names.filter((name) => isNamedSo(name, [...groupsBy(name, seen).values()]))].slice(
    0,
    MOST_ROUTING,
  )
}

const groupsBy = (name: string, seen: readonly Seen[]): ReadonlyMap<string, readonly Seen[]> =>
  // Nothing chosen is no choice.
  Map.groupBy(
    seen.filter(({ values }) => (values.get(name) ?? '') !== ''),
    ({ values }) => values.get(name) ?? '',
  )

interface Choice {
  readonly name: string
  /** Looks, or titles, that pages with one value have, on average: 1 where the value decides. */
  readonly within: number
  /** The pages with the most frequent value. */
  readonly largest: readonly Seen[]
}

const choiceBy = (name: string, seen: readonly Seen[]): Choice | null => {
  const byValue = groupsBy(name, seen)
  const having = [...byValue.values()].flat()
  if (byValue.size < 2) return null
  const words = [...byValue.keys()].filter((value) => value !== '' && !isVariable(value)).length * 2 >= byValue.size
  const looks = new Set(having.map(({ look }) => look)).size
  // Titles tell apart only what takes further values: what a list is narrowed by stands in its title, too.
  const titled = words && having.every(({ values }) => values.size > 1)
  const titles = titled ? new Set(having.map((one) => headingOf(one, name))).size : 1
  const share = Math.max(looks, titles) / byValue.size
  const groups = [...byValue.values()]
  const largest = groups.toSorted((a, b) => b.length - a.length)[0] ?? []
  if (words && (hasOwnNames(name, groups) || isNamedSo(name, groups))) return { name, within: 1, largest }
  if (Math.max(looks, titles) < 2 || share < (words ? OF_WORDS : OF_NUMBERS)) return null
  if (!words && byValue.size < FEWEST_NUMBERS) return null
  const within = averageOf(groups, (group) => new Set(group.map(({ look }) => look)).size)
  if (looks > 1 && within >= looks) return null
  // A title that comes with each value is another parameter's.
  const titlesWithin = averageOf(groups, (group) => new Set(group.map((one) => headingOf(one, name))).size)
  if (looks === 1 && titlesWithin >= titles) return null
  return { name, within: looks === 1 ? titlesWithin : within, largest }
}

const averageOf = (groups: readonly (readonly Seen[])[], count: (group: readonly Seen[]) => number): number =>
  groups.reduce((sum, group) => sum + count(group), 0) / groups.length

/** By each value the page takes other parameters: no list takes those of its order here, and those of its size there. */
const hasOwnNames = (name: string, groups: readonly (readonly Seen[])[]): boolean => {
  const further = groups
    .map((group) => new Set(group.flatMap(({ values }) => [...values.keys()].filter((one) => one !== name))))
    .filter((names) => names.size > 0)
  const pairs = further.flatMap((names, at) => further.slice(at + 1).map((other) => names.isDisjointFrom(other)))
  return pairs.length > 0 && pairs.filter(Boolean).length * 2 > pairs.length
}

/** Names that programs choose a part of theirs by, and the most values that are told apart by the name alone. */
const CHOOSES =
  /^(?:act|action|cmd|controller|do|func|function|mod|module|op|operation|option|page|route|screen|section|task|view)$/i
const MOST_CHOSEN = 40

/** Where the pages themselves do not tell: several of the values take further values. */
const isNamedSo = (name: string, groups: readonly (readonly Seen[])[]): boolean =>
  CHOOSES.test(name) &&
  groups.length <= MOST_CHOSEN &&
  groups.filter((group) => group.some(({ values }) => values.size > 1)).length > 1

/** Without the value itself, which many pages show: a short one as a word alone, as others hold its letters. */
const headingOf = ({ heading, values }: Seen, name: string): string => {
  const value = (values.get(name) ?? '').toLowerCase()
  if (value === '') return heading
  if (value.length > SHORT) return heading.replaceAll(value, '')
  return heading.replace(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, 'gu'), '')
}
const SHORT = 3
