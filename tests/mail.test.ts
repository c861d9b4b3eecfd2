import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { collectMail } from '../src/modules/passive/mail/collect.ts'
import type { MailFacts } from '../src/modules/passive/mail/facts.ts'
import { mail } from '../src/modules/passive/mail/module.ts'
import { countLookups, drawTree } from '../src/modules/passive/mail/spf-view.ts'
import { type CaseServers, caseAddress, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { type Bind, startBind } from './support/bind.ts'
import { dnsContext } from './support/dns-context.ts'

const policy = 'version: STSv1\nmode: enforce\nmx: mx.shop.test\nmax_age: 604800\n'
let bind: Bind
let web: CaseServers
const site = caseAddress(211)

beforeAll(async () => {
  web = await serveCase(211, {
    https: (request, response) => {
      const known = request.url === '/.well-known/mta-sts.txt' && request.headers.host?.startsWith('mta-sts.')
      response.writeHead(known ? 200 : 404, { 'Content-Type': 'text/plain' }).end(known ? policy : '')
    },
  })
  bind = await startBind([
    {
      name: 'shop.test',
      sign: {},
      records: [
        '@ MX 10 mx',
        'mx A 192.0.2.25',
        `_25._tcp.mx TLSA 3 1 1 ${'ab'.repeat(32)}`,
        '@ TXT "v=spf1 mx include:_spf.service.test include:gone.test a:nothing.shop.test " "include:nobody.free ~all"',
        '_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:x@service.test"',
        'selector1._domainkey CNAME selector1.service.test.',
        '_mta-sts TXT "v=STSv1; id=1"',
        `mta-sts A ${site}`,
        '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:tls@shop.test"',
      ],
    },
    {
      name: 'service.test',
      records: [
        '_spf TXT "v=spf1 ip4:192.0.2.0/24 include:_spf2.service.test -all"',
        '_spf2 TXT "v=spf1 exists:%{i}._rbl.service.test redirect=_spf.service.test"',
        `selector1 TXT "v=DKIM1; k=ed25519; p=${Buffer.alloc(32, 9).toString('base64')}"`,
      ],
    },
    {
      name: 'quiet.test',
      records: ['@ MX 0 .', '@ TXT "v=spf1 -all"', '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:a@quiet.test"'],
    },
    { name: 'bare.test', records: ['@ A 192.0.2.1', '@ MX 10 192.0.2.7.', '@ TXT "unrelated"'] },
  ])
})
afterAll(async () => {
  await bind?.stop()
  await web?.close()
})

const collect = async (host: string): Promise<MailFacts> => {
  const { ctx, close } = dnsContext(bind, host, 'mail')
  try {
    return await collectMail(ctx)
  } finally {
    await close()
  }
}

const idsOf = (facts: MailFacts): readonly string[] => {
  const { findings, failures } = judgeModule(mail, facts, {}, { ...caseContext(), now: Date.now() })
  expect(failures).toEqual([])
  return findings.map(({ check_id }) => check_id).toSorted()
}

describe('mail records on BIND', () => {
  it('a domain with a deep SPF tree, DANE, a borrowed DKIM key and a policy behind a bad certificate', async () => {
    const facts = await collect('www.shop.test')
    expect(facts.domain).toBe('shop.test')
    expect(drawTree(facts.spf).split('\n')).toEqual([
      expect.stringMatching(/^shop.test: v=spf1 mx /),
      expect.stringMatching(/^ {2}include:_spf.service.test: v=spf1 ip4/),
      expect.stringMatching(/^ {4}include:_spf2.service.test: v=spf1 exists/),
      '      redirect=_spf.service.test: (leads back into itself)',
      '  include:gone.test: (NXDOMAIN)',
      '  include:nobody.free: (NXDOMAIN)',
    ])
    expect(countLookups(facts.spf)).toBe(8)
    expect(facts.hosts[0]).toMatchObject({ name: 'mx.shop.test', tlsaSecurity: { state: 'secure', present: true } })
    expect(facts.dkim).toMatchObject({
      found: [{ selector: 'selector1', alias: 'selector1.service.test' }],
      wildcard: false,
    })
    expect(facts.sts.policy).toMatchObject({
      status: 200,
      body: policy,
      error: null,
      certificateError: expect.any(String),
    })
    expect(idsOf(facts)).toEqual([
      ...['mail/dmarc-report-unauthorised', 'mail/mta-sts-broken', 'mail/spf-include-broken'],
      ...['mail/spf-include-registrable', 'mail/spf-include-registrable', 'mail/spf-lookup-limit'],
    ])
  })

  it('a domain that takes no mail and says so', async () => {
    expect(idsOf(await collect('quiet.test'))).toEqual([])
  })

  it('a domain without any of it', async () => {
    expect(idsOf(await collect('bare.test'))).toEqual([
      ...['mail/dane-absent', 'mail/dkim-absent', 'mail/dmarc-absent', 'mail/mta-sts-absent', 'mail/mx-unresolvable'],
      ...['mail/spf-absent', 'mail/tls-rpt-absent'],
    ])
  })
})
