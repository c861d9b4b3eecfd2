/**
 * Pages that only another identity is shown the way to. The crawl goes as the first; what the answers to the others link to, and the crawl has
 * not found, is for whom it is shown, or for few. One step of links at a time, and no form.
 */
import type { Environment } from '../../../contract/run.ts'
import { readHtml } from '../../../page/html.ts'
import { shapeOf } from '../../../page/shape.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import { beginsRecord } from '../../../safety/signed-in.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { NOT_ROUTED, type Routed } from '../insertion-points/routed.ts'
import { isAsset, type Operation, operationOf } from './operations.ts'
import { isGranted, type Party } from './parties.ts'

const MOST = 60

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
  for (const { url } of first === undefined ? [] : linksOf(first)) known.add(keyOf(url.href))
  for (const { url, page } of others.flatMap(linksOf)) {
    const key = keyOf(url.href)
    if (known.has(key) || found.has(key) || found.size >= MOST) continue
    if (harmOfAddress(url.href) !== null || beginsRecord(url.href)) continue
    found.set(key, templateOf(url.href, page))
  }
  return [...found.values()].map((template) => operationOf(template, environment ?? 'production', routed))
}

/** Within the site, of the pages that this one was shown of its own accord. */
const linksOf = (party: Party): readonly { readonly url: URL; readonly page: string }[] =>
  [...party.own.values()].flatMap(({ first }) => {
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
  ...{ id: `GET ${url} linked`, method: 'GET', url, shape: shapeOf(url), encoding: 'none', fields: [], body: null },
  ...{ source: 'link', seenOn: [page], sent: false, harm: null },
})
