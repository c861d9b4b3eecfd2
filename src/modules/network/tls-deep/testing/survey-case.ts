/** A door to a server on loopback, and the survey of it. */
import { execFileSync } from 'node:child_process'
import { createEgress } from '../../../../egress/door/create-egress.ts'
import type { EndpointFacts } from '../../../../protocols/tls/endpoint.ts'
import { createProber, type Prober } from '../../../../protocols/tls/wire/prober.ts'
import type { Service } from '../../../../protocols/tls/wire/starttls.ts'
import { caseAddress } from '../../../testing/collecting.ts'
import { surveyEndpoint } from '../survey.ts'
import type { FakePair } from './fake-server.ts'

export const CASE_ADDRESS = caseAddress(41)

export const caseProber = (
  port: number,
  service: Service = 'https',
  seconds?: number,
): { readonly prober: Prober; readonly close: () => Promise<void> } => {
  const { signal } = new AbortController()
  const egress = createEgress({
    settings: {
      hosts: { 'shop.test': [CASE_ADDRESS] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [`${CASE_ADDRESS}:9`],
      requestsPerSecond: 100_000,
      concurrency: 64,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    runId: '00000000-0000-4000-8000-00000000000a',
    version: '0.0.0',
    target: { host: 'shop.test', port },
    credentials: { cookie: null, header: null },
    audit: () => undefined,
    signal,
  })
  const door = egress.forModule('tls-deep', { requests: 3_000, signal })
  const endpoint = { host: 'shop.test', address: CASE_ADDRESS, port, service }
  return { prober: createProber(door, endpoint, signal, seconds), close: () => egress.close() }
}

export const surveyCase = async (port: number, service: Service = 'https'): Promise<EndpointFacts | null> => {
  const { prober, close } = caseProber(port, service)
  try {
    return await surveyEndpoint(prober, () => undefined)
  } finally {
    await close()
  }
}

const pairs = new Map<string, FakePair>()

/** A key and a certificate that signs itself. */
export const casePair = (kind: 'rsa' | 'ec' = 'rsa'): FakePair => {
  const known = pairs.get(kind)
  if (known) return known
  const key = kind === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', ...key, '-nodes', '-days', '30', '-subj', '/CN=shop.test'],
      ...['-addext', 'subjectAltName=DNS:shop.test', '-keyout', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 },
  )
  const part = (name: string): string => {
    const end = `-----END ${name}-----`
    return `${pem.slice(pem.indexOf(`-----BEGIN ${name}-----`), pem.indexOf(end) + end.length)}\n`
  }
  const pair = { keyPem: part('PRIVATE KEY'), certPem: part('CERTIFICATE') }
  pairs.set(kind, pair)
  return pair
}
