/**
 * Parameters that a page takes and nothing that the run has seen sends it: each page is asked once by names that many applications have, and that others
 * of the site take within its brackets, each with a value of its own. What the answer shows the value of is a place (OWASP WSTG-INFO-06). Names that
 * other requests have without brackets are places of each page as it is, see `points.ts`.
 */
import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { textOf } from '../../../page/text.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { MADE_UP, type RequestTemplate } from './facts.ts'
import type { Draft } from './requests.ts'

export interface UnlinkedParts {
  /** Pages that answered, one of each route. */
  readonly pages: readonly string[]
  readonly requests: readonly RequestTemplate[]
  /** Equal for addresses that the same code answers. */
  readonly routeOf: (url: string) => string
  /** Whether the policy lets it be sent now. */
  readonly maySend: (draft: Draft) => boolean
  /** Null where nothing answers. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  readonly isOver: () => boolean
}

const MOST_PAGES = 60
const AT_ONCE = 6
/** Names in one request: some 1,000 characters. */
const MOST_NAMES = 54
const MOST_WITHIN = 16
/** A page that shows more of them shows its own address. */
const MOST_SHOWN = 4
const LONGEST_NAME = 40

/** What applications call texts that they show, addresses that they lead to, and files that they include. */
const USUAL: readonly string[] = [
  'q s search query keyword term filter name title user email lang theme view msg message error status info text content tag',
  'category sort order callback id url link next redirect return returnUrl back page file path',
].flatMap((line) => line.split(' '))

/** Links to these pages with one more parameter, whose value each of them shows. */
export const unlinkedParameters = async (parts: UnlinkedParts): Promise<readonly Draft[]> => {
  const site = namesOf(parts)
  const found: Draft[] = []
  const pages = parts.pages.slice(0, MOST_PAGES)
  for (let at = 0; at < pages.length && !parts.isOver(); at += AT_ONCE)
    found.push(...(await Promise.all(pages.slice(at, at + AT_ONCE).map((page) => askPage(parts, page, site)))).flat())
  return found
}

/** By which applications are made to tell of themselves (OWASP WSTG-CONF-02). */
const TELLING = ['debug', 'trace', 'verbose'] as const
const MOST_TOLD = 12

/** Asks a page of each route to tell of itself: traces, statements and settings in what it answers are judged with all answers of the run. */
export const askForDebugging = async (parts: Omit<UnlinkedParts, 'requests' | 'routeOf'>): Promise<void> => {
  for (const page of parts.pages.slice(0, MOST_TOLD)) {
    const told = TELLING.filter((name) => !new URL(page).searchParams.has(name))
    const names = told.filter((name) => parts.maySend(linkWith(page, [[name, '1']])))
    if (parts.isOver()) return
    if (names.length > 0)
      await parts.send({
        url: linkWith(
          page,
          names.map((name) => [name, '1'] as const),
        ).url,
      })
  }
}

interface SiteNames {
  /** The most frequent first. */
  readonly all: readonly string[]
  /** Of `filter[Name]` what stands before the bracket. */
  readonly holders: readonly string[]
  /** Names that a page is known to take, by its route. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>
}

const namesOf = ({ requests, routeOf }: Pick<UnlinkedParts, 'requests' | 'routeOf'>): SiteNames => {
  const counts = new Map<string, number>()
  const taken = new Map<string, Set<string>>()
  const holders = new Set<string>()
  for (const { method, url, fields } of requests) {
    const { searchParams } = new URL(url)
    const own = taken.get(routeOf(url)) ?? new Set<string>()
    taken.set(routeOf(url), own)
    const sent = [...searchParams].map(([name, value]) => ({ name, value }))
    if (method === 'GET') for (const { name } of sent) own.add(name)
    for (const { name, value } of [...sent, ...fields]) {
      const [, holder] = /^(\w{1,30})\[\w{1,30}\]$/.exec(name) ?? []
      if (holder !== undefined) holders.add(holder)
      if (/^[\w.-]+$/.test(name) && name.length <= LONGEST_NAME && !isToken(name, value))
        counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const all = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  return { all, holders: [...holders], taken }
}

const askPage = async (parts: UnlinkedParts, page: string, site: SiteNames): Promise<readonly Draft[]> => {
  const known = new Set([...(site.taken.get(parts.routeOf(page)) ?? []), ...new URL(page).searchParams.keys()])
  const within = site.all.flatMap((name) => site.holders.map((holder) => `${holder}[${name}]`)).slice(0, MOST_WITHIN)
  const names = [...new Set([...within, ...USUAL])].filter((name) => !known.has(name))
  const shown = await shownOf(parts, page, names.slice(0, MOST_NAMES))
  return shown.map((name) => linkWith(page, [[name, MADE_UP]]))
}

const linkWith = (page: string, added: readonly (readonly [name: string, value: string])[]): Draft => {
  const url = new URL(page)
  for (const [name, value] of added) url.searchParams.append(name, value)
  return { method: 'GET', url: url.href, source: 'well-known', seenOn: page, sent: true }
}

/** Those of the names whose value the page shows, asked for all of them and then for each. */
const shownOf = async (parts: UnlinkedParts, page: string, names: readonly string[]): Promise<readonly string[]> => {
  const values = names
    .filter((name) => parts.maySend(linkWith(page, [[name, MADE_UP]])))
    .map((name) => [name, `qx${randomBytes(4).toString('hex')}`] as const)
  if (values.length === 0) return []
  const shown = await shownIn(parts, linkWith(page, values), values)
  if (shown.length > MOST_SHOWN) return []
  const alone: string[] = []
  for (const value of shown)
    if ((await shownIn(parts, linkWith(page, [value]), [value])).length > 0) alone.push(value[0])
  return alone
}

type Value = readonly [name: string, value: string]

const shownIn = async (
  { send, maySend }: UnlinkedParts,
  link: Draft,
  values: readonly Value[],
): Promise<readonly Value[]> => {
  const answer = maySend(link) ? await send({ url: link.url }) : null
  if (answer === null) return []
  const said = [textOf(answer), headerOf(answer, 'location') ?? '']
  return values.filter(([, value]) => said.some((text) => text.includes(value)))
}
