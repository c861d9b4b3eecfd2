/** What known clients would agree on with this server, by saying hello as they do. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { CLIENTS, type ClientProfile } from '../../../knowledge/tls/clients.ts'
import { groupOf } from '../../../knowledge/tls/groups.ts'
import type { ClientFacts } from '../endpoint.ts'
import type { Flight } from '../wire/flight.ts'
import { EXTENSION, type Extension, extension, type Hello, type KeyShare } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { nameOf, renegotiationInfo, statusRequest, x25519Key } from './hellos.ts'
import { describe } from './tolerance.ts'

const NAMES: Readonly<Record<number, string>> = {
  768: 'SSL 3.0',
  769: 'TLS 1.0',
  770: 'TLS 1.1',
  771: 'TLS 1.2',
  772: 'TLS 1.3',
}

export const versionName = (version: number): string => NAMES[version] ?? `0x${version.toString(16).padStart(4, '0')}`

export const simulateClients = (prober: Prober): Promise<ClientFacts[]> =>
  Promise.all(CLIENTS.map(async (client) => factsOf(client, await prober.ask(helloOf(prober, client), true))))

const factsOf = (client: ClientProfile, flight: Flight): ClientFacts => {
  const { hello, keyExchange } = flight
  const who = { client: client.name, current: client.current }
  if (hello === null) return { ...who, protocol: null, suite: null, group: null, reason: describe(flight) }
  const offered = client.versions.length > 0 ? client.versions.includes(hello.version) : hello.version <= client.version
  const taken = offered && client.suites.includes(hello.suite)
  const group = hello.group ?? keyExchange?.group ?? null
  return {
    ...who,
    protocol: versionName(hello.version),
    suite: hello.suite,
    group: group === null ? null : groupOf(group).name,
    reason: taken ? null : 'the server chose what this client does not know',
  }
}

const helloOf = (prober: Prober, client: ClientProfile): Hello => ({
  version: client.version,
  suites: client.suites,
  servername: (client.servername ?? true) ? nameOf(prober.endpoint) : null,
  ...(client.groups ? { groups: client.groups } : {}),
  ...(client.schemes ? { schemes: client.schemes } : {}),
  ...(client.versions.length > 0
    ? { supportedVersions: client.versions, keyShares: client.shares.map(shareOf), sessionId: randomBytes(32) }
    : {}),
  ...(client.alpn.length > 0 && prober.endpoint.service === 'https' ? { alpn: client.alpn } : {}),
  more: (client.extensions ?? usual(client)).map((type) => CONTENT[type] ?? extension(type)),
})

/** Where nobody wrote them down: every client of the last ten years sends these. */
const usual = ({ suites }: ClientProfile): readonly number[] => [
  EXTENSION.extendedMasterSecret,
  ...(suites.includes(RENEGOTIATION_SCSV) ? [] : [EXTENSION.renegotiation]),
]

const RENEGOTIATION_SCSV = 255

/** Extensions that are not empty. */
const CONTENT: Readonly<Record<number, Extension>> = {
  [EXTENSION.statusRequest]: statusRequest,
  [EXTENSION.renegotiation]: renegotiationInfo(),
}

/** X25519 takes nearly any octets; ML-KEM keys and points of a curve are looked at by the server. */
const shareOf = (group: number): KeyShare => {
  const x25519 = x25519Key()
  if (group === 29) return { group, key: x25519 }
  if (group === 23) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return { group, key: publicKey.export({ type: 'spki', format: 'der' }).subarray(-65) }
  }
  const { publicKey } = generateKeyPairSync('ml-kem-768')
  return { group, key: Buffer.concat([publicKey.export({ type: 'spki', format: 'der' }).subarray(-1184), x25519]) }
}
