/**
 * Descriptions of services behind a gateway: each lies below the name of its own (`/orders/api/openapi.json`, `/catalog/v3/api-docs`), which only
 * its operations tell.
 */
import { textOf } from '../../../page/text.ts'
import type { Crawling } from './crawling.ts'
import { DESCRIPTION_PATHS, type DiscoverParts, readDescription } from './discover.ts'
import type { ApiDescription } from './facts.ts'

/** As frameworks call them, below whatever they are served at. */
const NAMES: readonly string[] = [
  ...['openapi.json', 'swagger.json', 'v3/api-docs', 'api-docs', 'openapi.yaml', 'v2/api-docs', 'docs-json'],
  'swagger/v1/swagger.json',
]
const MOST_SERVICES = 12
const OF_INTERFACE = /^(?:api|rest)$/i
const VERSION = /^v\d+$/i
/** Segments in which the interface is told. */
const DEEPEST = 4

/** Asks for those of services that are known by then, each once, however often it is called. `until`: by performance.now(), none is begun after it. */
export const createServiceDescriptions = (
  crawling: Crawling,
  parts: DiscoverParts,
): ((until: number) => Promise<void>) => {
  const asked = new Set<string>(DESCRIPTION_PATHS)
  let services = 0
  return async (until) => {
    const { crawler, requests, frontier } = crawling
    const known = [...crawler.reading.urls, ...requests.all(frontier.harmOf)].map(({ url }) => url)
    for (const bases of servicesOf(known, parts.origin)) {
      const paths = bases.flatMap((base) => NAMES.map((name) => `${base}/${name}`)).filter((path) => !asked.has(path))
      if (paths.length === 0) continue
      if (services >= MOST_SERVICES || performance.now() > until) {
        parts.beyond.note('service', bases[0] ?? '')
        continue
      }
      services += 1
      for (const path of paths) asked.add(path)
      const all = await Promise.all(paths.map((path) => describedAt(parts, `${parts.origin}${path}`)))
      const [first] = all.filter((one) => one !== null)
      const { apis, ...others } = crawling.discovered
      if (first) crawling.discovered = { ...others, apis: [...apis, first] }
    }
  }
}

const describedAt = async ({ fetcher, described }: DiscoverParts, url: string): Promise<ApiDescription | null> => {
  const answer = await fetcher.get(url, 'application/json,application/yaml,*/*')
  return answer?.status === 200 ? readDescription(described, url, textOf(answer)) : null
}

/** Of each service the folders that its description may lie in, outermost first. */
const servicesOf = (known: readonly string[], origin: string): readonly (readonly string[])[] => {
  const services = new Map<string, Set<string>>()
  for (const address of known) {
    const url = URL.parse(address)
    if (url === null || url.origin !== origin) continue
    const segments = url.pathname.split('/').slice(1, 1 + DEEPEST)
    const at = segments.findIndex((segment) => OF_INTERFACE.test(segment) || VERSION.test(segment))
    if (at < 0) continue
    const end = VERSION.test(segments[at + 1] ?? '') ? at + 1 : at
    const bases = Array.from({ length: end - Math.max(at - 1, 0) + 1 }, (_, index) =>
      segments.slice(0, Math.max(at - 1, 0) + 1 + index),
    )
    const service = segments.slice(0, at + 1).join('/')
    const own = services.get(service) ?? new Set<string>()
    for (const base of bases) own.add(`/${base.join('/')}`)
    services.set(service, own)
  }
  return [...services.values()].map((bases) => [...bases])
}
