/**
 * Pages that only another identity is shown the way to. The crawl goes as the first; what the answers to the others link to, and the crawl has
 * not found, is for whom it is shown, or for few. One step of links at a time, and no form.
 */
import type { Environment } from '../../../contract/run.ts'
import { readHtml } from '../../../page/html.ts'
import { kindOf, shapeOf } from '../../../page/shape.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import { beginsRecord } from '../../../safety/signed-in.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { NOT_ROUTED, type Routed } from '../insertion-points/routed.ts'
import { isAsset, type Operation, operationOf } from './operations.ts'
import { isGranted, type Party } from './parties.ts'

const MOST = 60
/** Of one kind, below a page for another that the first was shown as well. */
const MOST_RECORDS = 2
/** Ends the id of what was found so. */
const LINKED = ' linked'

export const linkedOperations = (
  identities: readonly Party[],
  operations: readonly Operation[],
  environment: Environment | undefined,
  routed: Routed = NOT_ROUTED,
): readonly Operation[] => {
  const keyOf = keyBy(routed)
  const known = new Set(operations.map(({ template }) => keyOf(template.url)))
  const found = new Map<string, RequestTemplate>()
  const [first, ...others] = identities
  // Of records in a list that the first is shown as well the crawl has asked some, and none is for another.
  for (const { url } of first === undefined ? [] : linksOf(first, isCrawled)) known.add(keyOf(url.href))
  // Of what a page for another leads to that the first was shown all the same nobody has asked any; of records some are enough.
  const open = new Set(first === undefined ? [] : linksOf(first).map(({ url }) => keyOf(url.href)))
  const records = new Map<string, number>()
  for (const { url, page } of others.flatMap((other) => linksOf(other))) {
    const key = keyOf(url.href)
    if (known.has(key) || found.has(key) || found.size >= MOST) continue
    if (harmOfAddress(url.href) !== null || beginsRecord(url.href)) continue
    const kind = keyOf(kindOf(url.href) + url.search)
    const before = records.get(kind) ?? 0
    if (open.has(key) && before >= MOST_RECORDS) continue
    records.set(kind, before + 1)
    found.set(key, templateOf(url.href, page))
  }
  return [...found.values()].map((template) => operationOf(template, environment ?? 'production', routed))
}

/** Found by the crawl, and not by a link that another alone was shown. */
const isCrawled = ({ template: { id } }: Operation): boolean => !id.endsWith(LINKED)

/** Within the site, of the pages that this one was shown of its own accord. */
const linksOf = (
  party: Party,
  which: (operation: Operation) => boolean = () => true,
): readonly { readonly url: URL; readonly page: string }[] =>
  [...party.own].flatMap(([operation, { first }]) => {
    if (!which(operation)) return []
    if (!isGranted(first) || !isHtml(mediaTypeOf(first.exchange), first.text)) return []
    const page = first.exchange.request.url
    return readHtml(first.text, page).links.flatMap(({ url: address }) => {
      const url = URL.parse(address ?? '')
      if (url === null || url.origin !== new URL(page).origin || isAsset(url.pathname)) return []
      url.hash = ''
      return [{ url, page }]
    })
  })

/** One page, whatever its query says but for what chooses the program; the same object is another. */
const keyBy =
  (routed: Routed) =>
  (address: string): string => {
    const { pathname, searchParams } = new URL(address)
    const chosen = new Map(routed(address))
    const names = [...searchParams.keys()].toSorted()
    return `${pathname}?${names.map((name) => `${name}=${chosen.get(name) ?? ''}`).join('&')}`
  }

const templateOf = (url: string, page: string): RequestTemplate => ({
  ...{ id: `GET ${url}${LINKED}`, method: 'GET', url, shape: shapeOf(url), encoding: 'none', fields: [], body: null },
  ...{ source: 'link', seenOn: [page], sent: false, harm: null },
})
