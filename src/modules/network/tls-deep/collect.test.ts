import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { Finding } from '../../module.ts'
import { collectTls } from '../../passive/tls/collect.ts'
import { caseAddress, collectContext, serveCase } from '../../testing/collecting.ts'
import { CASE_TIME, caseContext } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import type { ServicesFacts } from '../services/facts.ts'
import { caseServices } from '../services/testing/services-facts.ts'
import { collectTlsDeep } from './collect.ts'
import { endpointsBeside, MOST_SERVICES } from './endpoints.ts'
import type { TlsDeepFacts } from './facts.ts'
import { tlsDeep } from './module.ts'
import { casePair } from './testing/survey-case.ts'

const LAST = 43
const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listen = async (server: Server, port: number): Promise<void> => {
  server.listen(port, caseAddress(LAST))
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
}

const collect = async (
  services?: ServicesFacts,
): Promise<{
  facts: TlsDeepFacts
  findings: readonly Finding[]
  unjudged: readonly string[]
}> => {
  const address = caseAddress(LAST)
  const passive = collectContext(address, { module: 'tls' })
  const { ctx, close } = collectContext(address, { module: 'tls-deep', requests: 3_000 })
  cleanups.push(close, passive.close)
  const site = caseSite({ addresses: [address], pages: [casePage({ url: 'https://shop.test/' })] })
  const tls = await collectTls(passive.ctx, site)
  const facts = await collectTlsDeep(ctx, { site, tls, services })
  const stored = JSON.parse(JSON.stringify(facts)) as TlsDeepFacts
  expect(stored).toEqual(facts)
  const about = caseContext({ now: CASE_TIME })
  const judgements = tlsDeep.checks.map((check) => ({ check, judgement: check.judge(stored, { site, tls }, about) }))
  return {
    facts,
    findings: judgements.flatMap(({ judgement }) => ('state' in judgement ? (judgement.findings ?? []) : judgement)),
    unjudged: judgements.flatMap(({ check, judgement }) =>
      'state' in judgement ? check.findings.map(({ id }) => `${id}: ${judgement.state}`) : [],
    ),
  }
}

const idsOf = (findings: readonly Finding[]): string[] => findings.map((one) => one.definition.id)

describe('collectTlsDeep', () => {
  it('looks at the site and at the services beside it', async () => {
    const web = await serveCase(LAST, { https: (_request, response) => response.end('<html><p>hello</p></html>') })
    cleanups.push(web.close)
    await listen(
      createTcpServer((socket) => {
        socket.on('error', () => socket.destroy())
        socket.write('220 mail.test ESMTP\r\n')
        socket.on('data', (chunk) => socket.write(/EHLO/.test(chunk.toString()) ? '250 mail.test\r\n' : '500 no\r\n'))
      }),
      25,
    )
    const { facts, findings } = await collect()
    expect(facts.endpoints.map((one) => [one.port, one.service])).toEqual([[443, 'https']])
    expect(facts.silent).toMatchObject([{ port: 25, service: 'smtp', reason: 'STARTTLS is not announced' }])
    expect(facts.opossum.verdict).toBe('not_applicable')
    expect(facts.breach.verdict).toBe('safe')
    expect(idsOf(findings)).toContain('tls-deep/starttls-absent')
    expect(findings.filter((one) => ['critical', 'high'].includes(one.definition.severity))).toEqual([])
  })

  it('looks at every port where a service with TLS was heard, and not at the usual ones then', async () => {
    const web = await serveCase(LAST, { https: (_request, response) => response.end('<p>hello</p>') })
    cleanups.push(web.close)
    const { keyPem, certPem } = casePair('ec')
    await listen(createTlsServer({ key: keyPem, cert: certPem }), 47_443)
    const mail = (port: number, announces: boolean): Promise<void> =>
      listen(
        createTcpServer((socket) => {
          socket.on('error', () => socket.destroy())
          socket.write('220 mail.test ESMTP\r\n')
          socket.on('data', (chunk) => {
            if (/EHLO/.test(chunk.toString())) socket.write(announces ? '250-x\r\n250 STARTTLS\r\n' : '250 x\r\n')
            else if (/STARTTLS/.test(chunk.toString())) {
              socket.removeAllListeners('data')
              socket.write('220 go\r\n')
              new TLSSocket(socket, { isServer: true, key: keyPem, cert: certPem }).on('error', () => undefined)
            }
          })
        }),
        port,
      )
    await Promise.all([mail(25, true), mail(2525, false), mail(5870, true)])
    const heard: ServicesFacts = {
      ...caseServices(
        { port: 443 },
        { port: 2525, service: 'smtp', tls: false },
        { port: 5870, service: 'smtp', tls: false, starttls: true },
        { port: 9100, service: 'jetdirect', tls: true, by: 'untouched' },
        { port: 47_443, service: null, by: 'nothing', tls: true },
      ),
      address: caseAddress(LAST),
    }
    const { facts, findings } = await collect(heard)
    expect(facts.endpoints.map((one) => [one.port, one.service])).toEqual([
      [443, 'https'],
      [5870, 'smtp'],
      [47_443, 'tls'],
    ])
    expect(facts.silent).toMatchObject([{ port: 2525, reason: 'STARTTLS is not announced' }])
    expect(facts.leftOut).toEqual([])
    expect(findings.filter((one) => one.definition.id === 'tls-deep/starttls-absent')).toHaveLength(1)
  })

  it('finds TLS on request at port 80, and a page that repeats its input beside a secret', async () => {
    const web = await serveCase(LAST, {
      https: (request, response) => {
        const page = `<html><form><input type="hidden" name="csrf_token" value="s3cret"></form><p>${request.url}</p></html>`
        response.setHeader('Content-Encoding', 'gzip')
        response.end(gzipSync(page))
      },
    })
    cleanups.push(web.close)
    const clear = createHttpServer((_request, response) => response.end('ok'))
    clear.on('upgrade', (_request, socket) => {
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: TLS/1.0\r\nConnection: Upgrade\r\n\r\n')
    })
    await listen(clear, 80)
    const { facts, findings } = await collect()
    expect(facts.opossum.verdict).toBe('vulnerable')
    expect(facts.breach).toMatchObject({
      verdict: 'vulnerable',
      notes: expect.arrayContaining(['Content-Encoding: gzip']),
    })
    expect(idsOf(findings)).toEqual(expect.arrayContaining(['tls-deep/opossum', 'tls-deep/breach']))
  })

  it('a host without TLS has nothing to judge', async () => {
    const { facts, findings, unjudged } = await collect()
    expect(facts.endpoints).toEqual([])
    expect(findings).toEqual([])
    expect(unjudged).toContain('tls-deep/heartbleed: not_applicable')
  })
})

describe('the places beside the site', () => {
  const site = { host: 'shop.test', address: '192.0.2.10', port: 443 }

  it('are bounded, and what is left out is said', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ port: 8_000 + index, tls: true }))
    const { endpoints: places, leftOut } = endpointsBeside(site, caseServices(...many))
    expect(places).toHaveLength(MOST_SERVICES)
    expect(leftOut).toHaveLength(40 - MOST_SERVICES)
  })

  it('are the usual ports where the services module came to nothing', () => {
    expect(endpointsBeside(site, undefined).endpoints.map(({ port }) => port)).toContain(993)
  })

  it('of another address hold the port of the site too', () => {
    const elsewhere = { ...caseServices({ port: 443 }), address: '192.0.2.11' }
    expect(endpointsBeside(site, elsewhere).endpoints).toEqual([
      { host: 'shop.test', address: '192.0.2.11', port: 443, service: 'tls' },
    ])
  })
})
