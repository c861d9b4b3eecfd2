import { createHash, X509Certificate } from 'node:crypto'
import { caseLookup, caseSet } from '../../passive/dns/testing/dns-facts.ts'
import { caseHost, caseMail, casePolicy, caseTxt } from '../../passive/mail/testing/mail-facts.ts'
import { issue } from '../../passive/tls/testing/authority.ts'
import { CASE_TIME, judgeCases } from '../../testing/judge-cases.ts'
import { certificate } from './certificate.ts'
import type { MxFacts, MxServer } from './facts.ts'
import { MX_VERSIONS, type MxVersion } from './facts.ts'
import { starttls } from './starttls.ts'

const leaf = await issue({ subject: 'CN=mx.shop.test', issuer: null, names: ['mx.shop.test'] })
const shown: NonNullable<MxServer['certificate']> = {
  subject: 'CN=mx.shop.test',
  sha256: 'a'.repeat(64),
  notBefore: CASE_TIME - 86_400_000,
  notAfter: CASE_TIME + 86_400_000,
  isNamed: true,
  trust: 'public',
}

const versions = (...offered: readonly MxVersion[]): MxServer['versions'] =>
  MX_VERSIONS.map((version) => ({ version, state: offered.includes(version) ? 'offered' : 'refused' }))

const server = (change: Partial<MxServer> = {}): MxFacts => ({
  domain: 'shop.test',
  servers: [
    {
      name: 'mx.shop.test',
      address: '192.0.2.25',
      starttls: 'offered',
      detail: 'STARTTLS is offered',
      versions: versions('TLSv1.2', 'TLSv1.3'),
      chain: [leaf.der.toString('base64')],
      certificate: shown,
      ...change,
    },
  ],
  leftOut: [],
})

const nothing = { versions: [], chain: [], certificate: null }
const known = { mail: caseMail() }

judgeCases(starttls, [
  { name: 'current versions', facts: server(), known, expect: [] },
  {
    name: 'EHLO without STARTTLS',
    facts: server({ ...nothing, starttls: 'absent', detail: 'STARTTLS is not announced' }),
    known,
    expect: ['mx/starttls-absent'],
  },
  {
    name: 'announced and refused',
    facts: server({ ...nothing, starttls: 'refused', detail: 'STARTTLS was refused' }),
    known,
    expect: ['mx/starttls-broken'],
  },
  {
    name: 'taken, and no version agreed on',
    facts: server({ versions: versions() }),
    known,
    expect: ['mx/starttls-broken'],
  },
  {
    name: 'TLS 1.0 beside the current ones',
    facts: server({ versions: versions('TLSv1', 'TLSv1.2') }),
    known,
    expect: ['mx/protocol-legacy'],
  },
  {
    name: 'TLS 1.1 at most',
    facts: server({ versions: versions('TLSv1', 'TLSv1.1') }),
    known,
    expect: ['mx/protocol-old'],
  },
  {
    name: 'port 25 is blocked on the way',
    facts: server({ ...nothing, starttls: 'unreachable', detail: 'no answer' }),
    known,
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'one of two asked',
    facts: { ...server(), leftOut: ['mx2.shop.test'] },
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'no mail',
    facts: { domain: 'shop.test', servers: [], leftOut: [] },
    known,
    expect: [],
    unjudged: 'not_applicable',
  },
])

const digest = createHash('sha256')
  .update(new X509Certificate(leaf.der).publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')
const tlsa = (certificate: string, usage = 3) =>
  caseLookup('_25._tcp.mx.shop.test', 'TLSA', [{ usage, selector: 1, matchingType: 1, certificate }])
const none = caseLookup('_25._tcp.mx.shop.test', 'TLSA', [])
const mail = (change: Parameters<typeof caseHost>[0], mode: string | null) => ({
  mail: caseMail({
    hosts: [caseHost(change)],
    sts: {
      record: caseTxt('_mta-sts.shop.test', ...(mode === null ? [] : ['v=STSv1; id=1'])),
      policy:
        mode === null
          ? null
          : casePolicy({ body: `version: STSv1\r\nmode: ${mode}\r\nmx: mx.shop.test\r\nmax_age: 604800\r\n` }),
    },
  }),
})
const plain = mail({ tlsa: none }, null)

judgeCases(certificate, [
  {
    name: 'sound, with a policy and a fitting record',
    facts: server(),
    known: mail({ tlsa: tlsa(digest) }, 'enforce'),
    expect: [],
  },
  {
    name: 'a record of another key',
    facts: server(),
    known: mail({ tlsa: tlsa(Buffer.alloc(32).toString('base64')) }, null),
    expect: ['mx/dane-mismatch'],
  },
  {
    name: 'a record of another key that is not signed counts for nobody',
    facts: server(),
    known: mail(
      {
        tlsa: tlsa(Buffer.alloc(32).toString('base64')),
        tlsaSecurity: caseSet({ name: '_25._tcp.mx.shop.test', type: 'TLSA', state: 'insecure' }),
      },
      null,
    ),
    expect: [],
  },
  {
    name: 'usage 1 counts for nobody',
    facts: server(),
    known: mail({ tlsa: tlsa(Buffer.alloc(32).toString('base64'), 1) }, null),
    expect: [],
  },
  ...(
    [
      ['expired', { notAfter: CASE_TIME - 1 }],
      ['for another name', { isNamed: false }],
      ['self-signed', { trust: 'self-signed' }],
    ] as const
  ).flatMap(([name, change]) => {
    const facts = server({ certificate: { ...shown, ...change } })
    return [
      {
        name: `${name}, against the policy`,
        facts,
        known: mail({ tlsa: none }, 'enforce'),
        expect: ['mx/mta-sts-certificate'],
      },
      { name: `${name}, with nobody who looks`, facts, known: plain, expect: ['mx/certificate-unproven'] },
      {
        name: `${name}, with a record that vouches for it`,
        facts,
        known: mail({ tlsa: tlsa(digest) }, null),
        expect: [],
      },
    ]
  }),
  {
    name: 'a policy that is switched off',
    facts: server({ certificate: { ...shown, isNamed: false } }),
    known: mail({ tlsa: none }, 'none'),
    expect: ['mx/certificate-unproven'],
  },
  { name: 'no certificate shown', facts: server(nothing), known, expect: [], unjudged: 'not_applicable' },
])
