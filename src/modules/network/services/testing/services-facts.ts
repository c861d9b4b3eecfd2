/** Services facts for tables of cases: a healthy web server, changed where the case says so. */

import type { KexFacts } from '../../../../protocols/services/offers.ts'
import type { Access, AccessKind } from '../../../../protocols/services/probe.ts'
import type { Said } from '../../../../protocols/services/talk.ts'
import type { ServiceFacts, ServicesFacts } from '../facts.ts'

export const caseSaid = (sent: string, received: string): readonly Said[] => [
  { from: 'us', bytes: Buffer.from(sent, 'latin1').toString('base64'), size: sent.length },
  { from: 'peer', bytes: Buffer.from(received, 'latin1').toString('base64'), size: received.length },
]

export const caseService = (change: Partial<ServiceFacts> = {}): ServiceFacts => ({
  port: 443,
  service: 'http',
  title: 'HTTP',
  by: 'protocol',
  tls: true,
  starttls: false,
  product: 'nginx',
  version: null,
  info: null,
  cpe: null,
  recog: null,
  access: null,
  weakness: null,
  kex: null,
  exchange: caseSaid('GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n'),
  evidence: null,
  replay: "curl -skI 'https://shop.test:443/'",
  ...change,
})

export const caseServices = (...changes: readonly Partial<ServiceFacts>[]): ServicesFacts => ({
  host: 'shop.test',
  address: '192.0.2.10',
  everythingOpen: false,
  services: changes.length === 0 ? [caseService()] : changes.map(caseService),
  leftOut: 0,
  recog: null,
})

export const caseAccess = (kind: AccessKind, mark = 'answered'): Access => ({
  kind,
  says: 'it was answered without a login',
  mark,
})

/** The lists of a current OpenSSH. */
export const caseKex = (change: Partial<KexFacts> = {}): KexFacts => ({
  protocol: '2.0',
  kex: ['sntrup761x25519-sha512@openssh.com', 'curve25519-sha256', 'kex-strict-s-v00@openssh.com'],
  hostKeys: ['rsa-sha2-512', 'ssh-ed25519'],
  ciphers: ['chacha20-poly1305@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr'],
  macs: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-256'],
  compression: ['none'],
  ...change,
})
