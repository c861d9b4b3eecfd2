/** Which pages' scripts are looked at, and in which order. */
import { hashRouteOf, kindOf, withoutHash } from '../../../../page/shape.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { kindsOf } from '../../insertion-points/kinds.ts'
import { createRouted } from '../../insertion-points/routed.ts'
import { routeParameters } from './addresses.ts'

/** Pages of one kind of address with the same scripts differ in what stands on them, seldom in their flaws. */
const ALIKE = 2

/** Whether its address brings values, which its scripts may read. */
const bringsValues = (url: string): boolean => new URL(url).search !== '' || routeParameters(url).length > 0

/**
 * Pages that run scripts, in an order that does not change between runs: those whose scripts are new come first, and of those with the same
 * scripts, as all views of an application have, one with values in its address and one without any in turn.
 */
export const scriptedPages = ({
  urls,
  scripted,
  requests = [],
}: Pick<CrawlFacts, 'urls' | 'scripted'> & Partial<Pick<CrawlFacts, 'requests'>>): readonly string[] => {
  const routed = createRouted(requests)
  const codes = scripted && new Map(scripted.map(({ url, code }) => [url, code]))
  const kindOfPage = kindsOf(scripted ?? [])
  const kinds = new Map(scripted?.map((page) => [page.url, kindOfPage(page)]))
  const pages = urls
    .filter(
      ({ url, status, contentType }) => status === 200 && contentType === 'text/html' && (codes?.has(url) ?? true),
    )
    .map(({ url }) => url)
  const documents = new Set(pages)
  const routes = (scripted ?? [])
    .map(({ url }) => url)
    .filter((url) => hashRouteOf(url) !== null && documents.has(withoutHash(url)))
  const seen = new Map<string, number>()
  const count = (key: string): number => {
    seen.set(key, (seen.get(key) ?? 0) + 1)
    return seen.get(key) ?? 0
  }
  return [...pages, ...routes]
    .toSorted((a, b) => Number(bringsValues(b)) - Number(bringsValues(a)) || (a < b ? -1 : Number(a > b)))
    .flatMap((url) => {
      const code = codes?.get(url) ?? ''
      // What scripts read of an address they read of one with values; what stands behind a # they read of any, and most of the first page.
      const alike = `${bringsValues(url) ? 'values' : 'none'} ${codes ? code : url}`
      // A page that is asked for with other names beside is read otherwise, and so is another that one program makes.
      const chosen = routed(url).map(([, value]) => value)
      const names = [...new Set(new URL(url).searchParams.keys())].toSorted().join('&')
      return count(`${code} ${kinds.get(url) ?? kindOf(url)} ${names} ${chosen.join(' ')}`) > ALIKE
        ? []
        : [{ url, turn: count(alike) }]
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ url }) => url)
}
