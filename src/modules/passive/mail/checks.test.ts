import { generateKeyPairSync } from 'node:crypto'
import { judgeCases } from '../../testing/judge-cases.ts'
import { caseAbsent, caseLookup, caseNoAnswer, caseSet } from '../dns/testing/dns-facts.ts'
import { bimi } from './bimi.ts'
import { dane } from './dane.ts'
import { dkim } from './dkim.ts'
import { dmarc, dmarcReports } from './dmarc.ts'
import type { MailFacts } from './facts.ts'
import { mtaSts, tlsReporting } from './mta-sts.ts'
import { mx } from './mx.ts'
import { caseHost, caseMail, casePolicy, caseTlsa, caseTxt } from './testing/mail-facts.ts'

const NO_MAIL = { mx: caseLookup('shop.test', 'MX', [{ preference: 0, exchange: '.' }]), hosts: [] }
const rsa = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')
const KEYS = { 512: rsa(512), 1024: rsa(1024), 2048: rsa(2048) }
const key = (text: string): MailFacts =>
  caseMail({ dkim: { ...caseMail().dkim, found: [{ selector: 's1', text, alias: null }] } })

judgeCases(dkim, [
  { name: '2048 bits', facts: key(`v=DKIM1; k=rsa; p=${KEYS[2048]}`), expect: [] },
  { name: 'without version, blanks in p', facts: key(`p=${KEYS[2048].replace(/(.{50})/g, '$1 ')}`), expect: [] },
  { name: '1024 bits', facts: key(`v=DKIM1; p=${KEYS[1024]}`), expect: ['mail/dkim-key-short'] },
  { name: '512 bits', facts: key(`v=DKIM1; p=${KEYS[512]}`), expect: ['mail/dkim-key-broken'] },
  { name: 'Ed25519', facts: key(`v=DKIM1; k=ed25519; p=${Buffer.alloc(32, 1).toString('base64')}`), expect: [] },
  { name: 'cut off', facts: key(`v=DKIM1; p=${KEYS[2048].slice(0, 200)}`), expect: ['mail/dkim-invalid'] },
  { name: 'revoked', facts: key('v=DKIM1; p='), expect: ['mail/dkim-revoked'] },
  { name: 'sha1 alone', facts: key(`v=DKIM1; h=sha1; p=${KEYS[2048]}`), expect: ['mail/dkim-hash-sha1'] },
  { name: 'sha1 beside sha256', facts: key(`v=DKIM1; h=sha1:sha256; p=${KEYS[2048]}`), expect: [] },
  { name: 'testing', facts: key(`v=DKIM1; t=s:y; p=${KEYS[2048]}`), expect: ['mail/dkim-testing'] },
  { name: 'no known selector', facts: caseMail(), expect: [], unjudged: 'inconclusive' },
  {
    name: 'nothing below _domainkey',
    facts: caseMail({ dkim: { ...caseMail().dkim, base: caseAbsent('_domainkey.shop.test', 'TXT') } }),
    expect: ['mail/dkim-absent'],
  },
  {
    name: 'no mail at all',
    facts: caseMail({ ...NO_MAIL, dkim: { ...caseMail().dkim, base: caseAbsent('_domainkey.shop.test', 'TXT') } }),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'every selector answers',
    facts: { ...key('v=DKIM1; p='), dkim: { ...key('v=DKIM1; p=').dkim, wildcard: true } },
    expect: [],
    unjudged: 'inconclusive',
  },
])

const record = (...texts: readonly string[]) => caseMail({ dmarc: [caseTxt('_dmarc.shop.test', ...texts)] })
const inherited = (text: string) =>
  caseMail({ dmarc: [caseLookup('_dmarc.shop.test', 'TXT', []), caseTxt('_dmarc.test', text)] })

judgeCases(dmarc, [
  { name: 'reject', facts: caseMail(), expect: [] },
  {
    name: 'none anywhere',
    facts: caseMail({ dmarc: [caseAbsent('_dmarc.shop.test', 'TXT'), caseAbsent('_dmarc.test', 'TXT')] }),
    expect: ['mail/dmarc-absent'],
  },
  { name: 'version not first', facts: record('p=reject; v=DMARC1'), expect: ['mail/dmarc-absent'] },
  { name: 'version in small letters', facts: record('v=dmarc1; p=reject'), expect: ['mail/dmarc-absent'] },
  { name: 'two', facts: record('v=DMARC1; p=none', 'v=DMARC1; p=reject'), expect: ['mail/dmarc-multiple'] },
  { name: 'p=none', facts: record('v=DMARC1; p=none'), expect: ['mail/dmarc-policy-none'] },
  { name: 'sp=none under p=reject', facts: record('v=DMARC1; p=reject; sp=none'), expect: ['mail/dmarc-policy-none'] },
  { name: 'np=none', facts: record('v=DMARC1; p=reject; np=none'), expect: ['mail/dmarc-policy-none'] },
  {
    name: 'quarantine under test is none',
    facts: record('v=DMARC1; p=quarantine; t=y'),
    expect: ['mail/dmarc-policy-none'],
  },
  { name: 'reject under test is quarantine', facts: record('v=DMARC1; p=reject; t=y'), expect: [] },
  { name: 'half', facts: record('v=DMARC1; p=reject; pct=50'), expect: ['mail/dmarc-partial'] },
  { name: 'mistyped policy', facts: record('v=DMARC1; p=rejected'), expect: ['mail/dmarc-invalid'] },
  { name: 'no policy', facts: record('v=DMARC1; rua=mailto:a@shop.test'), expect: ['mail/dmarc-invalid'] },
  {
    name: 'report without mailto',
    facts: record('v=DMARC1; p=reject; rua=a@shop.test'),
    expect: ['mail/dmarc-invalid'],
  },
  { name: 'from the suffix', facts: inherited('v=DMARC1; p=reject; psd=y'), expect: [] },
  {
    name: 'from the suffix, none for those below',
    facts: inherited('v=DMARC1; p=reject; sp=none; np=reject; psd=y'),
    expect: ['mail/dmarc-policy-none'],
  },
  {
    name: 'unanswered',
    facts: caseMail({ dmarc: [caseNoAnswer('_dmarc.shop.test', 'TXT')] }),
    expect: [],
    unjudged: 'inconclusive',
  },
])

const elsewhere = (consent: MailFacts['reportConsent']) => ({
  ...record('v=DMARC1; p=reject; rua=mailto:x@reports.example'),
  reportConsent: consent,
})
const CONSENT = 'shop.test._report._dmarc.reports.example'

judgeCases(dmarcReports, [
  { name: 'own mailbox', facts: caseMail(), expect: [] },
  {
    name: 'own mailbox below the domain',
    facts: record('v=DMARC1; p=reject; rua=mailto:x@mail.shop.test!10m'),
    expect: [],
  },
  { name: 'no rua', facts: record('v=DMARC1; p=reject'), expect: ['mail/dmarc-report-absent'] },
  { name: 'others who agree', facts: elsewhere([caseTxt(CONSENT, 'v=DMARC1;')]), expect: [] },
  {
    name: 'others who do not',
    facts: elsewhere([caseAbsent(CONSENT, 'TXT')]),
    expect: ['mail/dmarc-report-unauthorised'],
  },
  {
    name: 'others, unanswered',
    facts: elsewhere([caseNoAnswer(CONSENT, 'TXT')]),
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'no record', facts: record(), expect: [], unjudged: 'not_applicable' },
])

const exchanges = (...names: readonly string[]) =>
  caseLookup(
    'shop.test',
    'MX',
    names.map((exchange) => ({ preference: 10, exchange })),
  )
const host = (change: Parameters<typeof caseHost>[0]) => caseMail({ hosts: [caseHost(change)] })

judgeCases(mx, [
  { name: 'sound', facts: caseMail(), expect: [] },
  { name: 'null MX alone', facts: caseMail(NO_MAIL), expect: [] },
  {
    name: 'null MX beside another',
    facts: caseMail({ mx: exchanges('.', 'mx.shop.test') }),
    expect: ['mail/null-mx-conflict'],
  },
  { name: 'no MX', facts: caseMail({ mx: exchanges(), hosts: [] }), expect: [], unjudged: 'not_applicable' },
  { name: 'an address', facts: host({ name: '192.0.2.25' }), expect: ['mail/mx-unresolvable'] },
  {
    name: 'name gone',
    facts: host({ a: caseAbsent('mx.shop.test', 'A'), aaaa: caseAbsent('mx.shop.test', 'AAAA') }),
    expect: ['mail/mx-unresolvable'],
  },
  {
    name: 'private',
    facts: host({ a: caseLookup('mx.shop.test', 'A', ['10.0.0.1']) }),
    expect: ['mail/mx-unresolvable'],
  },
  {
    name: 'IPv6 alone',
    facts: host({ a: caseLookup('mx.shop.test', 'A', []), aaaa: caseLookup('mx.shop.test', 'AAAA', ['2001:db8::25']) }),
    expect: [],
  },
  {
    name: 'an alias',
    facts: host({ a: caseLookup('mx.shop.test', 'A', ['192.0.2.25'], { aliases: ['real.shop.test'] }) }),
    expect: ['mail/mx-alias'],
  },
  { name: 'unanswered', facts: host({ a: caseNoAnswer('mx.shop.test', 'A') }), expect: [], unjudged: 'inconclusive' },
])

const sts = (change: Parameters<typeof casePolicy>[0], text = 'v=STSv1; id=1') =>
  caseMail({ sts: { record: caseTxt('_mta-sts.shop.test', text), policy: casePolicy(change) } })
const body = (lines: string) => sts({ body: `version: STSv1\n${lines}\n` })

judgeCases(mtaSts, [
  { name: 'enforced', facts: caseMail(), expect: [] },
  {
    name: 'none',
    facts: caseMail({ sts: { record: caseAbsent('_mta-sts.shop.test', 'TXT'), policy: null } }),
    expect: ['mail/mta-sts-absent'],
  },
  { name: 'redirected', facts: sts({ status: 301, location: 'https://shop.test/' }), expect: ['mail/mta-sts-broken'] },
  { name: 'as HTML', facts: sts({ contentType: 'text/html' }), expect: ['mail/mta-sts-broken'] },
  { name: 'bad certificate', facts: sts({ certificateError: 'CERT_HAS_EXPIRED' }), expect: ['mail/mta-sts-broken'] },
  {
    name: 'no server',
    facts: sts({ error: { code: 'unresolvable', message: 'no such name' }, status: null }),
    expect: ['mail/mta-sts-broken'],
  },
  { name: 'endless', facts: sts({ truncated: true }), expect: ['mail/mta-sts-broken'] },
  { name: 'no id', facts: sts({}, 'v=STSv1; id='), expect: ['mail/mta-sts-broken'] },
  { name: 'no mode', facts: body('mx: mx.shop.test\nmax_age: 604800'), expect: ['mail/mta-sts-broken'] },
  {
    name: 'wildcard stands for one label',
    facts: body('mode: enforce\nmx: *.test\nmax_age: 604800'),
    expect: ['mail/mta-sts-mismatch'],
  },
  {
    name: 'another server',
    facts: body('mode: enforce\nmx: old.shop.test\nmax_age: 604800'),
    expect: ['mail/mta-sts-mismatch'],
  },
  { name: 'testing', facts: body('mode: testing\nmx: MX.shop.test\nmax_age: 604800'), expect: ['mail/mta-sts-weak'] },
  { name: 'for an hour', facts: body('mode: enforce\nmx: mx.shop.test\nmax_age: 3600'), expect: ['mail/mta-sts-weak'] },
  { name: 'withdrawn', facts: body('mode: none\nmax_age: 86400'), expect: ['mail/mta-sts-weak'] },
  {
    name: 'may not be fetched',
    facts: sts({ error: { code: 'refused_by_guard', message: 'private' } }),
    expect: [],
    unjudged: 'not_tested',
  },
  { name: 'no mail', facts: caseMail(NO_MAIL), expect: [], unjudged: 'not_applicable' },
])

const rpt = (...texts: readonly string[]) => caseMail({ tlsRpt: caseTxt('_smtp._tls.shop.test', ...texts) })

judgeCases(tlsReporting, [
  { name: 'by mail', facts: caseMail(), expect: [] },
  { name: 'by mail and https', facts: rpt('v=TLSRPTv1;rua=mailto:a@b.test,https://b.test/r'), expect: [] },
  { name: 'none', facts: rpt('something else'), expect: ['mail/tls-rpt-absent'] },
  {
    name: 'two',
    facts: rpt('v=TLSRPTv1; rua=mailto:a@b.test', 'v=TLSRPTv1; rua=mailto:a@b.test'),
    expect: ['mail/tls-rpt-invalid'],
  },
  { name: 'http', facts: rpt('v=TLSRPTv1; rua=http://b.test/'), expect: ['mail/tls-rpt-invalid'] },
  { name: 'no mail', facts: caseMail(NO_MAIL), expect: [], unjudged: 'not_applicable' },
])

const insecure = caseSet({ type: 'TLSA', state: 'insecure', reason: 'no DS' })

judgeCases(dane, [
  { name: '3 1 1, signed', facts: caseMail(), expect: [] },
  { name: 'none', facts: host({ tlsa: caseAbsent('_25._tcp.mx.shop.test', 'TLSA') }), expect: ['mail/dane-absent'] },
  { name: 'unsigned', facts: host({ tlsaSecurity: insecure }), expect: ['mail/dane-unsigned'] },
  {
    name: 'none in an unsigned zone',
    facts: host({ tlsa: caseTlsa(), tlsaSecurity: insecure }),
    expect: ['mail/dane-absent'],
  },
  {
    name: 'usages for authorities',
    facts: host({ tlsa: caseTlsa([1, 1, 1], [0, 0, 1]) }),
    expect: ['mail/dane-invalid'],
  },
  { name: 'digest of the wrong length', facts: host({ tlsa: caseTlsa([3, 1, 2]) }), expect: ['mail/dane-invalid'] },
  { name: 'one good record suffices', facts: host({ tlsa: caseTlsa([1, 1, 1], [2, 0, 1]) }), expect: [] },
  {
    name: 'unanswered',
    facts: host({ tlsa: caseNoAnswer('_25._tcp.mx.shop.test', 'TLSA') }),
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'no mail', facts: caseMail(NO_MAIL), expect: [], unjudged: 'not_applicable' },
])

const logo = (text: string, change: Partial<MailFacts> = {}) =>
  caseMail({ bimi: caseTxt('default._bimi.shop.test', text), ...change })
const WHOLE = 'v=BIMI1; l=https://shop.test/logo.svg; a=https://shop.test/vmc.pem'

judgeCases(bimi, [
  { name: 'whole', facts: logo(WHOLE), expect: [] },
  {
    name: 'without enforcement',
    facts: logo(WHOLE, { dmarc: [caseTxt('_dmarc.shop.test', 'v=DMARC1; p=none')] }),
    expect: ['mail/bimi-ineffective'],
  },
  {
    name: 'without certificate',
    facts: logo('v=BIMI1; l=https://shop.test/logo.svg'),
    expect: ['mail/bimi-ineffective'],
  },
  {
    name: 'a PNG',
    facts: logo('v=BIMI1; l=https://shop.test/logo.png; a=https://shop.test/vmc.pem'),
    expect: ['mail/bimi-ineffective'],
  },
  { name: 'declined', facts: logo('v=BIMI1; l=; a='), expect: [] },
  { name: 'none', facts: caseMail(), expect: [], unjudged: 'not_applicable' },
])
