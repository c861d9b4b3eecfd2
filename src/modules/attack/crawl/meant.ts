/** Clients of interfaces are told once what all addresses begin with: `/orders` is `/api/orders` there, and no page. */
import type { RequestTemplate } from './facts.ts'

/** Of an address that a script names, the request of scripts that ends as it does; null where there is none. */
export const meantBy = (
  requests: readonly Pick<RequestTemplate, 'url' | 'source'>[],
): ((address: string) => string | null) => {
  const known = requests.flatMap(({ url, source }) => (OF_SCRIPTS.has(source) ? [{ url, ...partsOf(url) }] : []))
  return (address) => {
    const { origin, path } = partsOf(address)
    if (path === '') return null
    const isMeant = (one: (typeof known)[number]): boolean =>
      one.origin === origin && one.path !== path && one.path.endsWith(path)
    return known.find(isMeant)?.url ?? null
  }
}
const OF_SCRIPTS: ReadonlySet<RequestTemplate['source']> = new Set(['script', 'browser'])

const partsOf = (address: string): { readonly origin: string; readonly path: string } => {
  const { origin, pathname } = new URL(address)
  return { origin, path: pathname.replace(/\/+$/, '') }
}
