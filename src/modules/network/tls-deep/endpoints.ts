/** Where TLS is looked for beside the site: what the services module heard, or the usual ports where it heard nothing. */

import type { TlsEndpoint } from '../../../protocols/tls/wire/prober.ts'
import type { Service } from '../../../protocols/tls/wire/starttls.ts'
import type { ServiceFacts, ServicesFacts } from '../services/facts.ts'

/** Endpoints surveyed beside the site, each at some hundred connections. */
export const MOST_SERVICES = 24

/** Where each service listens (IANA); 'tls' begins with the handshake. */
const USUAL: readonly (readonly [number, Service])[] = [
  [25, 'smtp'],
  [587, 'smtp'],
  [465, 'tls'],
  [143, 'imap'],
  [993, 'tls'],
  [110, 'pop3'],
  [995, 'tls'],
  [21, 'ftp'],
  [990, 'tls'],
  [389, 'ldap'],
  [636, 'tls'],
  [5432, 'postgresql'],
  [3306, 'mysql'],
  [5222, 'xmpp'],
]

/** Protocols that switch to TLS on request, by the id of the service. */
const ON_REQUEST: ReadonlyMap<string, Service> = new Map(
  (['smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgresql', 'mysql', 'xmpp'] as const).map((id) => [id, id]),
)

export interface OtherEndpoints {
  readonly endpoints: readonly TlsEndpoint[]
  /** Ports of services that speak TLS, but are more than one run looks at. */
  readonly leftOut: readonly number[]
}

/** `site` is the place that is surveyed in any case. */
export const endpointsBeside = (
  site: { readonly host: string; readonly address: string; readonly port: number },
  services: ServicesFacts | undefined,
): OtherEndpoints => {
  const address = services?.address ?? site.address
  const found: readonly (readonly [number, Service])[] = services ? services.services.flatMap(serviceAt) : USUAL
  const beside = found.filter(([port]) => port !== site.port || address !== site.address)
  return {
    endpoints: beside
      .slice(0, MOST_SERVICES)
      .map(([port, service]): TlsEndpoint => ({ host: site.host, address, port, service })),
    leftOut: beside.slice(MOST_SERVICES).map(([port]) => port),
  }
}

/** A service that was told by its port alone is asked too: knocking shows soon enough whether it speaks. */
const serviceAt = ({ port, service, tls, by }: ServiceFacts): readonly (readonly [number, Service])[] => {
  if (by === 'untouched') return []
  if (tls) return [[port, 'tls']]
  const onRequest = ON_REQUEST.get(service ?? '')
  return onRequest === undefined ? [] : [[port, onRequest]]
}
