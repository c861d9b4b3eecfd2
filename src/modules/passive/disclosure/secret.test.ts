import { describe, expect, it } from 'vitest'
import { findSecrets, maskSecret } from '../../../knowledge/secrets/find.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { secret } from './secret.ts'
import { caseDisclosure, caseMap, caseScript } from './testing/disclosure-facts.ts'

/** Put together here, so that the file itself holds nothing that looks like a key. */
const join = (...parts: readonly string[]): string => parts.join('')
const AWS_ID = join('AK', 'IA', 'QX7WPLM2RT5ZVC3N')
const AWS_SECRET = join('kP3vXw9LqT7b', 'Zr2Yn8Hc5Jd4', 'Mf6Gs1Ae0Uo', 'IiVt+')
const STRIPE = join('sk_', 'live_', 'Tq8Zc2Xv5Bn7Mk1Lp4Jh9Gf3')
const STRIPE_PUBLIC = join('pk_', 'live_', 'Tq8Zc2Xv5Bn7Mk1Lp4Jh9Gf3')
const SENDGRID = join('S', 'G.', 'ngeVfQFYQlKU0ufo8x5d1A', '.', 'TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc1s5cr4A')
const MAILGUN = join('ke', 'y-', '3f9a1c7be2d84506b7c1e9f02a6d5c83')
const GITHUB = join('gh', 'p_', 'Zx8Qw3Er5Ty7Ui9Op1As2Df4Gh6Jk0', '1sHMY2')
const KEY = join(
  '-----BEGIN ',
  'PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2\nOF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r\n1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G\n-----END ',
  'PRIVATE KEY-----',
)
const script = (code: string) => caseDisclosure({ scripts: [caseScript(code)] })
const known = { site: caseSite() }
const page = (body: string) => ({ site: caseSite({ page: { body } }) })
const CRITICAL = ['disclosure/secret-critical']

judgeCases(secret, [
  { name: 'nothing', facts: caseDisclosure(), known, expect: [] },
  { name: 'cloud key pair', facts: script(`{id:'${AWS_ID}',secret:'${AWS_SECRET}'}`), known, expect: CRITICAL },
  { name: 'cloud key id alone opens nothing', facts: script(`{id:'${AWS_ID}'}`), known, expect: [] },
  {
    name: 'cloud key by its name, whoever gave the id',
    facts: script(`storage:{accessKeyId:'K9TR2LM4',secretAccessKey:'${AWS_SECRET}'}`),
    known,
    expect: CRITICAL,
  },
  {
    name: 'the same within JSON',
    facts: script(JSON.stringify(`{"aws_secret_access_key": "${AWS_SECRET}"}`)),
    known,
    expect: CRITICAL,
  },
  { name: 'a field of that name without a key', facts: script('secretAccessKey:""'), known, expect: [] },
  {
    name: 'hash of 40 letters by that name',
    facts: script(`secretAccessKey:'${'deadbeef'.repeat(5)}'`),
    known,
    expect: [],
  },
  {
    name: 'hash of 40 letters beside a key id',
    facts: script(`{id:'${AWS_ID}',sha:'${'deadbeef'.repeat(5)}'}`),
    known,
    expect: [],
  },
  {
    name: 'key of a mail service, beside its name',
    facts: script(`/* ${MAILGUN} (mailgun) */`),
    known,
    expect: ['disclosure/secret-service'],
  },
  { name: 'the same beside nothing', facts: script(`cache['${MAILGUN}']`), known, expect: [] },
  {
    name: 'payment key in the page',
    facts: caseDisclosure(),
    known: page(`<script>k="${STRIPE}"</script>`),
    expect: CRITICAL,
  },
  {
    name: 'the same key in script and map is one finding',
    facts: caseDisclosure({ scripts: [caseScript(STRIPE)], maps: [caseMap(STRIPE)] }),
    known,
    expect: CRITICAL,
  },
  { name: 'private key', facts: script(`const k = \`${KEY}\``), known, expect: CRITICAL },
  { name: 'private key with escaped line ends', facts: script(JSON.stringify(KEY)), known, expect: CRITICAL },
  {
    name: 'frame of a private key without a key',
    facts: script(`${KEY.slice(0, 28)}${'text '.repeat(20)}-----END PRIVATE KEY-----`),
    known,
    expect: [],
  },
  { name: 'token with its checksum', facts: script(GITHUB), known, expect: CRITICAL },
  { name: 'token whose checksum is wrong', facts: script(`${GITHUB.slice(0, -1)}x`), known, expect: [] },
  { name: 'service token', facts: script(SENDGRID), known, expect: ['disclosure/secret-service'] },
  { name: 'publishable key', facts: script(STRIPE_PUBLIC), known, expect: ['disclosure/public-key'] },
  { name: 'placeholder in the right format', facts: script(join('sk_', 'live_', 'x'.repeat(24))), known, expect: [] },
  { name: 'database address', facts: script('postgres://app:kR7-pw9zQ@db.internal/shop'), known, expect: CRITICAL },
  { name: 'database address from a manual', facts: script('postgres://user:password@host/db'), known, expect: [] },
])

describe('secret', () => {
  it('never shows what it found', () => {
    const body = `<script>a="${STRIPE}";b={id:'${AWS_ID}',secret:'${AWS_SECRET}'};c="${GITHUB}"</script>`
    const judgement = secret.judge(script(KEY), page(body), caseContext())
    const text = JSON.stringify(judgement)
    expect(judgement).toHaveLength(4)
    for (const value of [STRIPE, AWS_SECRET, GITHUB, KEY]) {
      for (let at = 0; at + 10 <= value.length; at++) {
        const piece = value.slice(at, at + 10)
        if (!piece.includes('PRIVATE') && !piece.includes('-----') && !piece.includes(' '))
          expect(text).not.toContain(piece)
      }
    }
  })

  it('masks to a quarter at most', () => {
    expect(maskSecret('abcdefgh')).toBe('ab… (8 characters, masked)')
  })

  it('stays linear on hostile text', () => {
    const start = process.cpuUsage()
    for (const part of ['-----BEGIN PRIVATE KEY-----', `${AWS_ID} '`, 'postgres://a:bbbbbb', 'SG.', '://', 'AKIA'])
      findSecrets(part.repeat(200_000 / part.length))
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2000)
  })
})
