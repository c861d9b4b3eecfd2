/** Facts for tables of cases: a sound endpoint, changed where the case says so. */

import type { EndpointFacts, Oracle, Protocol, ProtocolFacts } from '../../../../protocols/tls/endpoint.ts'
import { PROTOCOLS } from '../../../../protocols/tls/endpoint.ts'
import { CASE_TIME } from '../../../testing/judge-cases.ts'
import type { TlsDeepFacts } from '../facts.ts'

const ORDINARY: Partial<Record<Protocol, readonly number[]>> = {
  'TLSv1.2': [0xc02f, 0xc030, 0xcca8],
  'TLSv1.3': [0x1301, 0x1302, 0x1303],
}

export const caseProtocols = (
  suites: Partial<Record<Protocol, readonly number[]>> = ORDINARY,
  change: Partial<ProtocolFacts> = {},
): readonly ProtocolFacts[] =>
  PROTOCOLS.map((protocol) => ({
    protocol,
    state: suites[protocol] ? 'offered' : 'refused',
    suites: suites[protocol] ?? [],
    complete: true,
    order: 'server',
    chachaFirst: false,
    wrongVersion: null,
    foreignSuite: null,
    hello: null,
    ...change,
  }))

type Common = Oracle<never>['verdict']

export const caseOracle = <Verdict extends string>(verdict: Verdict): Oracle<Exclude<Verdict, Common>> => ({
  verdict: verdict as Exclude<Verdict, Common> | Common,
  notes: ['as seen'],
})

const SAFE: Oracle<never> = caseOracle('safe')

export const caseEndpoint = (change: Partial<EndpointFacts> = {}): EndpointFacts => ({
  host: 'shop.test',
  address: '192.0.2.10',
  port: 443,
  service: 'https',
  protocols: caseProtocols(),
  sslv2: { ciphers: [], certificate: null },
  groups: [4588, 29, 23],
  schemes: [0x0804, 0x0403, 0x0401],
  dh: [],
  ecdhReused: false,
  extensions: {
    types: [65281, 23, 35],
    extendedMasterSecret: true,
    encryptThenMac: true,
    secureRenegotiation: true,
    sessionTicket: true,
    heartbeat: false,
    compression: false,
    staple: false,
    alpn: ['h2', 'http/1.1'],
    clientCertificate: false,
    downgradeMark: true,
  },
  certificates: [
    {
      key: 'rsa',
      bits: 2048,
      der: 'AA==',
      sha256: 'a'.repeat(64),
      servername: 'shop.test',
      signatureAlgorithm: 'sha256WithRSAEncryption',
    },
  ],
  withoutName: 'same',
  fallbackScsv: 'honoured',
  heartbleed: SAFE,
  ccs: SAFE,
  robot: SAFE,
  ticketbleed: SAFE,
  padding: SAFE,
  starttlsInjection: SAFE,
  renegotiation: { secure: true, accepted: 0, legacyAccepted: false },
  resumption: { sessionId: true, ticket: true, ticketLifetime: 7_200, earlyData: 0, earlyDataReplayed: null },
  tolerance: [{ probe: 'grease', what: 'reserved values', ok: true, answer: 'server hello' }],
  clients: [
    { client: 'Firefox 140', current: true, protocol: 'TLS 1.3', suite: 0x1301, group: 'x25519', reason: null },
  ],
  connections: 180,
  ...change,
})

/** A change that makes the endpoint speak TLS 1.3 and nothing else. */
export const MODERN_ALONE: Partial<EndpointFacts> = {
  protocols: caseProtocols({ 'TLSv1.3': [0x1301] }),
  extensions: null,
  modernExtensions: { alpn: ['h2'], clientCertificate: false, staple: false },
  resumption: { sessionId: null, ticket: null, ticketLifetime: 7_200, earlyData: 0, earlyDataReplayed: null },
  renegotiation: { secure: true, accepted: null, legacyAccepted: null },
}

export const caseDeep = (change: Partial<EndpointFacts> = {}, whole: Partial<TlsDeepFacts> = {}): TlsDeepFacts => ({
  host: 'shop.test',
  now: CASE_TIME,
  endpoints: [caseEndpoint(change)],
  silent: [],
  knownKeys: {},
  revocation: [],
  opossum: caseOracle('safe'),
  breach: caseOracle('safe'),
  ...whole,
})
