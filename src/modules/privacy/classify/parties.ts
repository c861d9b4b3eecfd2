/** Who stands behind a host: the site itself, another company, or another company under the site's name. */
import { getDomain } from 'tldts'
import type { Trackers } from '../../../knowledge/trackers/vendor.ts'
import type { Party } from '../facts.ts'

/** Registrable domain, with the private part of the public suffix list: two pages on one hosting service are two sites. */
export const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

const MOST_ALIASES = 40

/** `aliasOf` gives the names that a host is an alias of, in order. */
export const readParties = async (
  /** Host → an address at it. */
  hosts: ReadonlyMap<string, string>,
  site: { readonly host: string; readonly site: string },
  trackers: Trackers,
  aliasOf: (host: string) => Promise<readonly string[]>,
): Promise<readonly Party[]> => {
  const foreign = [...hosts.keys()].filter((host) => host !== site.host && host !== `www.${site.host}`)
  const own = foreign.filter((host) => siteOf(host) === site.site).slice(0, MOST_ALIASES)
  const aliases = new Map(await Promise.all(own.map(async (host) => [host, await aliasOf(host)] as const)))
  return foreign.flatMap((host): readonly Party[] => {
    const domain = siteOf(host)
    const alias = (aliases.get(host) ?? []).find((name) => siteOf(name) !== site.site) ?? null
    if (domain === site.site && alias === null) return []
    const named = alias === null ? (hosts.get(host) ?? `https://${host}/`) : `https://${alias}/`
    return [{ host, domain, alias, own: domain === site.site, vendor: vendorOf(named, alias ?? host, trackers) }]
  })
}

const vendorOf = (url: string, host: string, trackers: Trackers): Party['vendor'] => {
  const known = trackers.vendorOf(url)
  if (known) {
    const { id, name, legalEntity, country, dpf, purposes, tcfId = null } = known
    return { id, name, legalEntity, country, dpf, purposes, tcfId, source: 'own table' }
  }
  const entity = trackers.entityOf(host)
  if (!entity) return null
  const id = entity.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return {
    id,
    name: entity.name,
    legalEntity: null,
    country: null,
    dpf: null,
    purposes: entity.purposes,
    tcfId: null,
    source: 'third-party-web',
  }
}
