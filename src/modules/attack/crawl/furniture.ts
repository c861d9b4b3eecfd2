/**
 * Forms that are sent to the page they stand on. One that stands on page after page around what each is about is one form, and not one for each
 * page; one that a page shows when it was asked for with the values of a form is the form of that page without them.
 */
import { segmentsOf } from '../../../page/segments.ts'
import { withoutHash } from '../../../page/shape.ts'
import { programOf } from '../insertion-points/programs.ts'
import type { InsertionPoint, ReachRow, RequestTemplate } from './facts.ts'
import { withoutQuery } from './fetching.ts'
import type { Draft } from './requests.ts'

/** So many pages, in so many parts of the site, have it alike: then it is sent from so many of them. */
const PAGES = 8
const PARTS = 5
const SENT_FROM = 3

const REASON = `the same form stands around the content of many pages, and is sent from ${SENT_FROM} of them`

/** Pages of one folder are mostly of one program: `/goods/tent` and `/goods/stove`. */
const partOf = (url: string): string => {
  const segments = segmentsOf(url).filter((segment) => segment !== '')
  return `${segments[0] ?? ''} ${segments.length}`
}

const isFurniture = (urls: readonly string[]): boolean =>
  new Set(urls).size >= PAGES && new Set(urls.map(partOf)).size >= PARTS

/** What tells one form from another, and what of it was listed. */
interface Listed {
  readonly furniture?: string | undefined
  readonly template: Pick<RequestTemplate, 'method' | 'url'>
}

/** Those of a form that stands on so many pages, but for the pages from which it is sent: one of each part of the site. */
export const beyondSample = <One extends Listed>(
  entries: readonly One[],
  namesOf: (one: One) => readonly string[],
): ReadonlySet<One> => {
  const groups = Map.groupBy(
    entries.filter(({ furniture }) => furniture !== undefined),
    (one) => JSON.stringify([one.furniture, one.template.method, ...namesOf(one)]),
  )
  return new Set(
    [...groups.values()].flatMap((group) => {
      const pages = [...new Set(group.map(({ template }) => withoutQuery(template.url)))]
      if (!isFurniture(pages)) return []
      const ofParts = new Map(pages.toReversed().map((url) => [partOf(url), url]))
      const chosen = new Set(pages.filter((url) => ofParts.get(partOf(url)) === url).slice(0, SENT_FROM))
      return group.filter(({ template }) => !chosen.has(withoutQuery(template.url)))
    }),
  )
}

/** By the path of a page, what forms that are not sent from it would put into its address: of those that may be sent freely. */
export const offeredBy = (
  beyond: readonly Pick<RequestTemplate, 'method' | 'url' | 'harm' | 'bound'>[],
): ReadonlyMap<string, readonly (readonly [name: string, value: string])[]> => {
  const offered = new Map<string, [string, string][]>()
  for (const { method, url, harm, bound } of beyond) {
    if (method !== 'GET' || harm !== null || bound !== undefined) continue
    const page = withoutQuery(url)
    const before = offered.get(page) ?? []
    const names = new Set(before.map(([name]) => name))
    offered.set(page, [...before, ...[...new URL(url).searchParams].filter(([name]) => !names.has(name))])
  }
  return offered
}

/** Those that are neither sent nor asked as parameters of a page of their program. */
export const unaskedOf = (
  beyond: readonly RequestTemplate[],
  listed: readonly RequestTemplate[],
  points: readonly InsertionPoint[],
): readonly ReachRow[] => {
  const programs = new Map(listed.map((request) => [request.id, programOf(request)]))
  const asked = new Set(points.map(({ request, place, name }) => `${programs.get(request)} ${place} ${name}`))
  const pages = new Map(
    listed.flatMap((one) => (one.method === 'GET' ? [[withoutQuery(one.url), programOf(one)] as const] : [])),
  )
  const isAsked = ({ method, url }: RequestTemplate): boolean =>
    method === 'GET' &&
    [...new URL(url).searchParams.keys()].every((name) => asked.has(`${pages.get(withoutQuery(url))} query ${name}`))
  return beyond
    .filter((one) => !isAsked(one))
    .map(({ method, url }) => ({ kind: 'form', method, url, fate: 'left_out', reason: REASON, holds: true }))
}

export interface FormsToItself {
  /** The form as its page has it without values that were made up for another form; null where it was sent from enough pages. */
  readonly take: (form: Draft) => { readonly form: Draft; readonly isKnown: boolean }
  /** The answer to a form leads to the page of it, with a word of what became of it. */
  readonly led: (from: string, to: string) => void
}

export const createFormsToItself = (): FormsToItself => {
  /** Addresses that are asked for because of a form, or are led to by one. */
  const made = new Set<string>()
  /** Forms of pages without a query. */
  const plain = new Set<string>()
  const pages = new Map<string, string[]>()
  const keyOf = ({ method, fields = [] }: Draft, url: string): string =>
    JSON.stringify([method, url, ...fields.map(({ name }) => name)])
  const stands = ({ furniture, method, url }: Draft): boolean => {
    if (furniture === undefined) return false
    const known = pages.get(`${method} ${furniture}`) ?? []
    pages.set(`${method} ${furniture}`, known)
    const page = withoutQuery(url)
    if (known.includes(page)) return false
    if (isFurniture(known)) return true
    known.push(page)
    return false
  }
  return {
    take: (form) => {
      if (form.toItself === undefined || form.seenOn === null) return { form, isKnown: false }
      const isKnown = stands(form)
      const page = withoutHash(form.seenOn)
      if (form.method === 'GET') made.add(withoutHash(form.url))
      const bare = withoutQuery(form.url)
      if (!page.includes('?')) plain.add(keyOf(form, bare))
      const isMade = form.method !== 'GET' && form.url === page && made.has(page) && plain.has(keyOf(form, bare))
      return { form: isMade ? { ...form, url: bare } : form, isKnown }
    },
    led: (from, to) => {
      if (withoutQuery(from) === withoutQuery(to)) made.add(withoutHash(to))
    },
  }
}
