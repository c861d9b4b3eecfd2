/** Which address, name and way each case has, and on which of two sites it is careless: the same for the same seed. */
import { type Random, randomOf } from '../../generate/random.ts'
import { ENDS, WORDS } from '../../words.ts'
import type { SiteCase, SitePlace, Way } from './case.ts'

export interface Entry {
  readonly case: SiteCase
  /** Of its section and of its own page, which are its address. */
  readonly section: string
  readonly end: string
  readonly path: string
  /** Name of what takes the value. */
  readonly input: string
  readonly way: Way
  /** Only for visitors who are signed in. */
  readonly member: boolean
}

export interface Site {
  readonly entries: readonly Entry[]
  /** Classes whose cases are careless here; all others are their safe twins. */
  readonly careless: ReadonlySet<string>
}

export const SEED = 7

const LINKED: readonly Way[] = ['link', 'folder', 'menu']
const FITTING: Readonly<Record<SitePlace, readonly Way[]>> = {
  query: [...LINKED, 'form'],
  ...{ path: LINKED, header: LINKED, cookie: LINKED, name: LINKED, page: LINKED },
  ...{ form: ['form'], multipart: ['form'] },
  ...{ json: ['fetch'], xml: ['fetch'], 'json-list': ['fetch'], graphql: ['fetch'], 'own-header': ['fetch'] },
}

const PAGES = [...ENDS, 'guide', 'notes', 'rounds']
const INPUTS = [
  ...['item', 'name', 'term', 'area', 'title', 'choice', 'label', 'topic', 'part', 'entry'],
  ...['word', 'tag', 'model', 'kind', 'city', 'colour', 'about', 'subject'],
]
const HEADERS = ['X-Region', 'X-Shelf', 'X-Station']

/** Of six sections one is for members. */
const MEMBERS = 6

/** Another's browser sends no JSON, no form within a session and no header: what only a visitor suffers is no flaw there. */
const BROWSERS_OWN: ReadonlySet<string> = new Set(['xss', 'stored', 'html', 'redirect', 'header', 'dom-xss'])
const FORGED: readonly SitePlace[] = ['query', 'path', 'page']

export const planEntries = (cases: readonly SiteCase[], seed = SEED): readonly Entry[] => {
  const random = randomOf(seed)
  const words = random.shuffled(WORDS)
  const free = random.shuffled(words.flatMap((section) => PAGES.map((end) => ({ section, end }))))
  const members = new Set(words.slice(0, Math.floor(words.length / MEMBERS)))
  if (free.length < cases.length) throw new Error('there are fewer addresses than cases')
  return cases.map((one): Entry => {
    const guardable = !BROWSERS_OWN.has(one.class) || FORGED.includes(one.place)
    const at = free.findLastIndex(({ section }) => guardable || !members.has(section))
    const [address] = free.splice(at, 1)
    if (!address) throw new Error('no address is left')
    const { section, end } = address
    const way = one.way ?? random.pick(FITTING[one.place])
    const path = `/${section}/${end}${way === 'base' ? '/details' : ''}`
    return { case: one, section, end, path, way, input: inputOf(one, random), member: members.has(section) }
  })
}

const inputOf = ({ place, reads }: SiteCase, random: Random): string =>
  reads ?? (place === 'header' ? 'Referer' : random.pick(place === 'own-header' ? HEADERS : INPUTS))

/**
 * Pairs of sites: the entries in parts of some size, each once with half of its classes careless and once with the others, so that
 * either has checks that have to fail and checks that may pass. One address is careless on one and careful on the other.
 */
export const planSites = (entries: readonly Entry[], size: number, seed = SEED): readonly Site[] => {
  const random = randomOf(seed + 1)
  const mixed = random.shuffled(entries)
  const parts = Math.max(1, Math.ceil(mixed.length / size))
  return Array.from({ length: parts }, (_, part) => mixed.filter((_one, at) => at % parts === part)).flatMap((of) => {
    const classes = random.shuffled([...new Set(of.map((one) => one.case.class))])
    const half = Math.ceil(classes.length / 2)
    return [classes.slice(0, half), classes.slice(half)].map((careless) => ({
      entries: of,
      careless: new Set(careless),
    }))
  })
}

/** Careless everywhere, or nowhere. */
export const siteOf = (entries: readonly Entry[], careless: boolean): Site => ({
  entries,
  careless: new Set(careless ? entries.map((one) => one.case.class) : []),
})

export const isCareless = ({ careless }: Site, entry: Entry): boolean => careless.has(entry.case.class)
