import type { Handshake, HandshakeResult } from '../../../protocols/tls/certificate/facts.ts'
import { CASE_TIME, judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { certificateRedirected } from './certificate-redirected.ts'
import type { TlsFacts } from './facts.ts'
import { ADDRESS, caseCertificate, caseIntermediate, caseTls, failure } from './testing/tls-facts.ts'

const DAY = 86_400_000
const known = { site: caseSite() }
type Success = Extract<HandshakeResult, { ok: true }>

interface Led {
  readonly host?: string
  readonly port?: number
  readonly leaf?: Parameters<typeof caseCertificate>[0]
  readonly state?: Success['trust']['state']
  readonly result?: HandshakeResult
  readonly sibling?: Handshake
}

/** The certificate of the redirect's target is the third of the facts. */
const led = ({ host = 'login.shop.test', port = 443, leaf, state = 'public', result, sibling }: Led = {}): TlsFacts => {
  const certificates = [caseCertificate(), caseIntermediate(), caseCertificate({ dnsNames: ['*.shop.test'], ...leaf })]
  const seen: Success = {
    ...{ ok: true, protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', chain: [2, 1], staple: null },
    trust: { state, path: [0, 1], anchor: 'CN=Somebody' },
  }
  const handshake = { address: ADDRESS, servername: host, offered: null, result: result ?? seen }
  const redirected = { url: `https://${host}:${port}/`, host, port, handshake }
  return caseTls({ certificates, result: { chain: [0, 1] }, redirected, ...(sibling ? { sibling } : {}) })
}

const www = { address: ADDRESS, servername: 'www.shop.test', offered: null, result: failure('timeout') }
const found = ['tls/redirect-certificate']

judgeCases(certificateRedirected, [
  { name: 'no other place', facts: caseTls(), known, expect: [], unjudged: 'not_applicable' },
  { name: 'sound', facts: led(), known, expect: [] },
  { name: 'expired', facts: led({ leaf: { notAfter: CASE_TIME - DAY } }), known, expect: found },
  { name: 'of tomorrow', facts: led({ leaf: { notBefore: CASE_TIME + DAY } }), known, expect: found },
  { name: 'for another name', facts: led({ leaf: { dnsNames: ['other.test'] } }), known, expect: found },
  {
    name: 'vouches for itself, at another port',
    facts: led({ port: 8443, state: 'self-signed' }),
    known,
    expect: found,
  },
  { name: 'an unknown authority', facts: led({ state: 'untrusted' }), known, expect: found },
  {
    name: 'an unknown authority inside',
    facts: led({ state: 'untrusted' }),
    known,
    about: { target: { host: 'shop.test', port: null, context: 'internal', tier: 'passive' } },
    expect: [],
  },
  {
    name: 'www, of which the name has been spoken',
    facts: led({ host: 'www.shop.test', leaf: { dnsNames: ['shop.test'] }, sibling: www }),
    known,
    expect: [],
  },
  { name: 'nobody there', facts: led({ result: failure('timeout') }), known, expect: [], unjudged: 'inconclusive' },
])
