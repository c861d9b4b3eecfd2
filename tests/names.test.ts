import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostsOf } from '../src/contract/domain-host.ts'
import { judgeModule } from '../src/engine/judge.ts'
import { collectDns } from '../src/modules/passive/dns/collect.ts'
import { collectNames } from '../src/modules/passive/names/collect.ts'
import { names } from '../src/modules/passive/names/module.ts'
import { caseTls } from '../src/modules/passive/tls/testing/tls-facts.ts'
import { type CaseServers, caseAddress, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { caseSite } from '../src/modules/testing/site-facts.ts'
import { type Bind, bindAddresses, startBind } from './support/bind.ts'
import { dnsContext } from './support/dns-context.ts'

const at = bindAddresses()
const web = caseAddress(212)
const BODIES: Readonly<Record<string, string>> = {
  'blog.shop.test': '<h1>project not found</h1>',
  'pages.shop.test': "<p>There isn't a GitHub Pages site here.</p>",
}
let bind: Bind
let server: CaseServers
let claimedVisits = 0

beforeAll(async () => {
  server = await serveCase(212, {
    http: (request, response) => {
      const host = request.headers.host ?? ''
      // Free at the first look, held at the second.
      const text = host === 'claimed.shop.test' && claimedVisits++ === 0 ? 'project not found' : BODIES[host]
      response
        .writeHead(text === undefined ? 200 : 404)
        .end(text ?? 'project not found, says this article about surge.sh')
    },
  })
  bind = await startBind([
    {
      name: 'shop.test',
      delegation: ['shop.test. NS ns1.shop.test.', 'shop.test. NS ns.lapsed.test.', `ns1.shop.test. A ${at.child}`],
      ns: ['@ NS ns1', '@ NS ns.lapsed.test.', `ns1 A ${at.child}`],
      records: [
        `@ A ${web}`,
        'old CNAME gone.azurewebsites.net.',
        'live CNAME app.azurewebsites.net.',
        'blog CNAME shop.surge.sh.',
        'help CNAME good.surge.sh.',
        'claimed CNAME claimed.surge.sh.',
        'pages CNAME shop.github.io.',
        'dead CNAME x.free.test.',
        'unknown CNAME x.other.invalid.',
        '@ MX 10 mx.unpaid.test.',
        '_imaps._tcp SRV 0 1 993 inner.shop.test.',
        '_sip._tcp SRV 0 0 0 .',
        '_xmpp-server._tcp SRV 5 0 5269 chat.shop.test.',
        `chat A ${web}`,
        `inner A ${web}`,
      ],
    },
    { name: 'azurewebsites.net', records: [`app A ${web}`] },
    { name: 'surge.sh', records: [`shop A ${web}`, `good A ${web}`, `claimed A ${web}`] },
    { name: 'github.io', records: [`shop A ${web}`] },
    { name: 'partner.test', records: [`www A ${web}`] },
    { name: 'sound.test', records: [`@ A ${web}`, `www CNAME @`] },
  ])
})
afterAll(async () => {
  await bind?.stop()
  await server?.close()
})

const examine = async (host: string, body: string, sans: readonly string[], headers: Record<string, string> = {}) => {
  const { ctx, close } = dnsContext(bind, host, 'names')
  try {
    const dns = await collectDns(ctx)
    const known = { site: caseSite({ page: { body, headers } }), tls: caseTls({ leaf: { dnsNames: [...sans] } }), dns }
    const facts = await collectNames(ctx, known, 50)
    const judged = judgeModule(names, facts, known, { ...caseContext(), now: Date.now() })
    expect(judged.failures).toEqual([])
    return { facts, ...judged }
  } finally {
    await close()
  }
}

describe('names against BIND', () => {
  it('every kind of free end is found, and no held one', async () => {
    const sans = ['shop', 'old', 'live', 'blog', 'help', 'claimed', 'pages', 'dead', 'unknown'].map(
      (one) => `${one}.shop.test`,
    )
    const body = `<script src="https://cdn.unheld.test/a.js"></script><a href="https://www.expired.test/">x</a>
      <a href="https://www.partner.test/">y</a><a href="https://inner.shop.test/">z</a>`
    const { findings, coverage, facts } = await examine('shop.test', body, sans, {
      'Content-Security-Policy': "script-src 'self' https://*.vacant.test",
    })
    expect(findings.map(({ check_id, location, severity }) => [check_id, location.host, severity])).toEqual([
      ['names/takeover-nameserver', 'ns.lapsed.test', 'critical'],
      ['names/takeover-host', 'blog.shop.test', 'high'],
      ['names/takeover-host', 'dead.shop.test', 'high'],
      ['names/takeover-host', 'old.shop.test', 'high'],
      ['names/takeover-host', 'pages.shop.test', 'high'],
      ['names/takeover-mail', 'mx.unpaid.test', 'high'],
      ['names/takeover-third-party', 'cdn.unheld.test', 'high'],
      ['names/takeover-third-party', 'vacant.test', 'high'],
      ['names/takeover-link', 'www.expired.test', 'medium'],
      ['names/subdomains', 'shop.test', 'info'],
    ])
    expect(findings.find(({ check_id }) => check_id === 'names/subdomains')?.detail).toContain('inner.shop.test')
    const proposed = hostsOf({ runId: 'run', facts }, null)
    expect(proposed.find(({ host }) => host === 'inner.shop.test')?.sources).toEqual(['link', 'srv'])
    expect(proposed.find(({ host }) => host === 'chat.shop.test')).toMatchObject({
      ...{ sources: ['srv'], seen_at: 'SRV of _xmpp-server._tcp.shop.test', answer: [web] },
    })
    // The suffix of the unknown target does not answer either: no proof, and coverage says so.
    expect(coverage.find(({ check_id }) => check_id === 'names/takeover-host')?.state).toBe('fail')
  })

  it('a sound domain gives nothing, without a second look', async () => {
    const began = performance.now()
    const { findings, facts } = await examine('sound.test', '<a href="https://www.partner.test/">x</a>', [
      'sound.test',
      '*.sound.test',
    ])
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(findings).toEqual([])
    expect(facts.candidates).toEqual([])
  })
})
