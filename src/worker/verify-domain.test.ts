import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createTenant } from '../../tests/support/api.ts'
import { openTestDatabase } from '../../tests/support/databases.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { type DnsAnswer, EgressError } from '../egress/door/egress.ts'
import { getDomain } from '../store/domains.ts'
import { recheckDomains, verifyDomain } from './verify-domain.ts'

const TOKEN = 'tok-en_1'
const VALUE = `sonde-verification=${TOKEN}`
const HOST = 'shop.test'
let server: Server | null = null
const controller = new AbortController()
afterEach(async () => {
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
  server = null
})

const dnsAnswer = (records: readonly (string | string[])[], rcode = 'NOERROR'): DnsAnswer => ({
  ...{ server: '127.0.0.1', rcode, authoritative: true, authenticated: false, authorities: [], additionals: [] },
  answers: records.map((data) => ({ name: `_sonde-challenge.${HOST}`, type: 'TXT', ttl: 60, data })),
})

/** Real sockets for http; DNS answers are given, as its client has tests of its own. */
const look = async (listener: RequestListener, dns: DnsAnswer | EgressError = dnsAnswer([], 'NXDOMAIN')) => {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const run = createEgress({
    settings: {
      ...{ hosts: { [HOST]: ['127.0.0.1'], [`www.${HOST}`]: ['127.0.0.1'], 'evil.test': ['127.0.0.1'] } },
      ...{ allowNetworks: ['127.0.0.0/8'], resolvers: [], requestsPerSecond: 1000, concurrency: 10 },
      ...{ contact: 'https://sonde.test', trafficKey: Buffer.alloc(32).toString('base64url') },
    },
    ...{ runId: '00000000-0000-4000-8000-000000000000', version: '0', target: { host: HOST, port } },
    ...{ credentials: { cookie: null, header: null }, audit: () => undefined, signal: controller.signal },
  })
  try {
    const egress = run.forModule('verify', { requests: 50, signal: controller.signal })
    const ask = async (): Promise<DnsAnswer> => {
      if (dns instanceof Error) throw dns
      return dns
    }
    const attempts = await verifyDomain({ http: egress.http, dns: ask }, { domain: `${HOST}:${port}`, token: TOKEN })
    return Object.fromEntries(attempts.map(({ method, ok, seen }) => [method, { ok, seen }]))
  } finally {
    await run.close()
  }
}
const answering =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body)
const page = (head: string, body = ''): RequestListener =>
  answering(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`)
const META = `<meta name="sonde-verification" content="${TOKEN}">`

describe('dns_txt', () => {
  const cases: readonly [trick: string, answer: DnsAnswer | EgressError, ok: boolean, seen: RegExp][] = [
    ['the record', dnsAnswer([[VALUE]]), true, /has the expected TXT/],
    ['among others', dnsAnswer([['v=spf1 -all'], [VALUE]]), true, /expected/],
    ['in two character-strings', dnsAnswer([[VALUE.slice(0, 9), VALUE.slice(9)]]), true, /expected/],
    [
      'another token',
      dnsAnswer([['sonde-verification=other']]),
      false,
      /other TXT records: "sonde-verification=other"/,
    ],
    ['token inside a longer text', dnsAnswer([[`x ${VALUE}`]]), false, /other TXT/],
    ['none', dnsAnswer([], 'NXDOMAIN'), false, /no TXT record \(NXDOMAIN\)/],
    ['given up', new EgressError('aborted', 'the verification was given up'), false, /given up/],
    ['resolver down', new EgressError('timeout', 'DNS server 127.0.0.1 did not answer'), false, /did not answer/],
    ['control characters', dnsAnswer([['a\u001b[2J\u202eb']]), false, /"a \[2J b"/],
  ]
  test.each(cases)('%s', async (_, answer, ok, seen) => {
    const { dns_txt } = await look(answering('', 404), answer)
    expect(dns_txt).toEqual({ ok, seen: expect.stringMatching(seen) })
  })
})

describe('http_file', () => {
  const at =
    (paths: Record<string, RequestListener>): RequestListener =>
    (request, response) =>
      (paths[request.url ?? ''] ?? answering('', 404))(request, response)
  const file = '/.well-known/sonde-challenge.txt'
  const to =
    (location: (port: string) => string): RequestListener =>
    (request, response) =>
      response.writeHead(302, { location: location(String(request.socket.localPort)) }).end()
  const cases: readonly [trick: string, listener: RequestListener, ok: boolean, seen: RegExp][] = [
    ['the file', at({ [file]: answering(VALUE) }), true, /^http:\/\/shop\.test.*expected content/],
    ['with a line break at its end', at({ [file]: answering(`${VALUE}\r\n`) }), true, /expected/],
    ['with more text', at({ [file]: answering(`${VALUE} and more`) }), false, /other content/],
    ['a page for everything', answering('<html>welcome'), false, /other content: "<html>welcome"/],
    ['the value echoed with 404', at({ [file]: answering(VALUE, 404) }), false, /answered 404/],
    ['moved within the host', at({ [file]: to(() => '/other'), '/other': answering(VALUE) }), true, /\/other has/],
    ['moved to www', at({ [file]: to((p) => `http://www.${HOST}:${p}/w`), '/w': answering(VALUE) }), true, /www/],
    [
      'moved to another host',
      at({ [file]: to((p) => `http://evil.test:${p}/e`), '/e': answering(VALUE) }),
      false,
      /another site/,
    ],
    ['moved for ever', to(() => `${file}?${Math.random()}`), false, /more than 5 redirects/],
    ['cut off', (request) => request.socket.destroy(), false, /shop\.test/],
  ]
  test.each(cases)('%s', async (_, listener, ok, seen) => {
    expect((await look(listener)).http_file).toEqual({ ok, seen: expect.stringMatching(seen) })
  })
})

describe('meta_tag', () => {
  const cases: readonly [trick: string, listener: RequestListener, ok: boolean, seen: RegExp][] = [
    ['in the head', page(META), true, /expected meta/],
    [
      'in capitals',
      page(META.replace('meta name="sonde-verification"', 'META NAME="Sonde-Verification"')),
      true,
      /expected/,
    ],
    ['without a head tag', answering(`<title>x</title>${META}`), true, /expected/],
    ['in the body, where visitors write', page('', META), false, /no meta element/],
    ['after an element that ends the head', answering(`<head><p>${META}`), false, /no meta element/],
    ['in a comment', page(`<!-- ${META} -->`), false, /no meta element/],
    ['in a script', page(`<script>${META}</script>`), false, /no meta element/],
    ['in a template', page(`<template>${META}</template>`), false, /no meta element/],
    ['another token', page(META.replace(TOKEN, 'other')), false, /another sonde-verification: "other"/],
    ['a head without end', page(Array.from({ length: 6000 }, (_, n) => `<link n=${n}>`).join('')), false, /too large/],
    [
      'elements that multiply',
      answering(`<head>${Array.from({ length: 3000 }, (_, n) => `<b x=${n}>`).join('')}${'<p>'.repeat(3000)}`),
      false,
      /too large/,
    ],
    ['page with status 500', answering(META, 500), false, /answered 500/],
  ]
  test.each(cases)('%s', async (_, listener, ok, seen) => {
    expect((await look(listener)).meta_tag).toEqual({ ok, seen: expect.stringMatching(seen) })
  })
})

describe('checking again', () => {
  const old =
    "update domains set verified_at = now() - interval '10 days', verified_until = now() + interval '80 days' where id = $1"
  const proven = [{ method: 'dns_txt', ok: true, seen: '' }] as const
  test('renews what still holds, keeps what does not, leaves fresh and lapsed ones alone', async () => {
    const { db, drop } = await openTestDatabase()
    try {
      const [holds, fails, fresh, lapsed] = [
        await createTenant(db, 'holds.example.com'),
        await createTenant(db, 'fails.example.com'),
        await createTenant(db, 'fresh.example.com'),
        await createTenant(db, 'lapsed.example.com'),
      ]
      const until = async (tenant: typeof holds) =>
        (await getDomain(db, tenant.organisationId, tenant.domainId))?.verifiedUntil?.getTime() ?? 0
      for (const { domainId } of [holds, fails]) await db.query(old, [domainId])
      await db.query(
        "update domains set verified_at = now(), verified_until = now() + interval '90 days' where id = $1",
        [fresh.domainId],
      )
      await db.query(
        "update domains set verified_at = now(), verified_until = now() - interval '1 day' where id = $1",
        [lapsed.domainId],
      )
      const before = await until(fails)
      const asked: string[] = []
      const checking = recheckDomains(
        db,
        async ({ domain }) => {
          asked.push(domain)
          if (domain.startsWith('fails')) throw new Error('broken')
          return proven
        },
        controller.signal,
      )
      await expect(checking).rejects.toThrow(AggregateError)
      expect(asked.toSorted()).toEqual(['fails.example.com', 'holds.example.com'])
      expect((await until(holds)) - Date.now()).toBeGreaterThan(89.9 * 86_400_000)
      expect(await until(fails)).toBe(before)
      // It may have been what ended the process: the next one does not begin with it.
      const again: string[] = []
      await recheckDomains(
        db,
        async ({ domain }) => {
          again.push(domain)
          return proven
        },
        controller.signal,
      )
      expect(again).toEqual([])
    } finally {
      await drop()
    }
  })
})
