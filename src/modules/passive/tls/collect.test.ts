import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { Handshake } from '../../../protocols/tls/certificate/facts.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { caseEntry, caseSite, redirect } from '../../testing/site-facts.ts'
import { collectTls } from './collect.ts'
import type { TlsFacts } from './facts.ts'
import { offersOf } from './protocol-versions.ts'
import { type Issued, issue } from './testing/authority.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const address = caseAddress(77)
const authority = await issue({ subject: 'CN=Authority', issuer: null, authority: true })

const serve = async (server: Server): Promise<number> => {
  server.listen(0, address)
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

const tlsServer = async (leaf: Issued, options: TlsOptions = {}): Promise<number> => {
  const server = createServer({ key: await leaf.keyPem(), cert: leaf.pem, ...options }, (socket) => {
    socket.on('error', () => socket.destroy())
  })
  server.on('tlsClientError', () => undefined)
  return serve(server)
}

const collectFrom = async (port: number, seconds = 10): Promise<TlsFacts> => {
  const { ctx, close } = collectContext(address, { module: 'tls', port })
  cleanups.push(close)
  const started = performance.now()
  const baseUrl = `https://shop.test:${port}/`
  const facts = await collectTls(ctx, caseSite({ addresses: [address], baseUrl, https: caseEntry(baseUrl) }))
  expect(performance.now() - started).toBeLessThan(seconds * 1000)
  return facts
}

const ordinary = (facts: TlsFacts): Handshake | undefined => facts.handshakes[0]

describe('collectTls', () => {
  it('asks where a redirect of http leads within the site, and nowhere else', async () => {
    const [own, other] = await Promise.all(
      [['shop.test'], ['login.shop.test']].map(async (names) =>
        tlsServer(await issue({ subject: `CN=${names[0]}`, issuer: authority, names })),
      ),
    )
    const { ctx, close } = collectContext(address, { module: 'tls', port: own })
    cleanups.push(close)
    const baseUrl = `https://shop.test:${own}/`
    const asking = async (location: string) => {
      const http = caseEntry('http://shop.test/', { hops: [redirect('http://shop.test/', location)] })
      return (await collectTls(ctx, caseSite({ addresses: [address], baseUrl, https: caseEntry(baseUrl), http })))
        .redirected
    }
    expect(await asking(`https://shop.test:${other}/in`)).toMatchObject({
      ...{ url: `https://shop.test:${other}/in`, host: 'shop.test', port: other },
      handshake: { servername: 'shop.test', result: { ok: true } },
    })
    expect(await asking(baseUrl)).toBeNull()
    expect(await asking(`https://other.test:${other}/`)).toBeNull()
  })

  it('sees versions, chain and certificate of a sound server', async () => {
    const leaf = await issue({ subject: 'CN=shop.test', issuer: authority, names: ['shop.test'] })
    const port = await tlsServer(leaf, { cert: leaf.pem + authority.pem })
    const facts = await collectFrom(port)
    expect(facts).toMatchObject({ host: 'shop.test', port, asked: [address] })
    expect(offersOf(facts, address)).toEqual({
      TLSv1: 'refused',
      'TLSv1.1': 'refused',
      'TLSv1.2': 'offered',
      'TLSv1.3': 'offered',
    })
    expect(ordinary(facts)?.result).toMatchObject({
      ok: true,
      protocol: 'TLSv1.3',
      chain: [0, 1],
      staple: null,
      trust: { state: 'untrusted', path: [0, 1], anchor: 'CN=Authority' },
    })
    expect(facts.certificates.map(({ subject }) => subject)).toEqual(['CN=shop.test', 'CN=Authority'])
    expect(facts.sibling).toMatchObject({ servername: 'www.shop.test', result: { ok: true } })
  })

  it('talks to a server that stopped at TLS 1.0, with a short key and SHA-1', async () => {
    const leaf = await issue({ subject: 'CN=shop.test', issuer: null, rsa: 1024, hash: 'SHA-1' })
    const port = await tlsServer(leaf, { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' })
    const facts = await collectFrom(port)
    expect(offersOf(facts, address)).toEqual({
      TLSv1: 'offered',
      'TLSv1.1': 'refused',
      'TLSv1.2': 'refused',
      'TLSv1.3': 'refused',
    })
    expect(facts.certificates[0]?.key).toMatchObject({ type: 'rsa', bits: 1024 })
    expect(ordinary(facts)?.result).toMatchObject({ ok: true, trust: { state: 'self-signed' } })
  })

  it('keeps the stapled answer and the certificate for who names no host', async () => {
    const leaf = await issue({ subject: 'CN=shop.test', issuer: authority, names: ['shop.test'] })
    const other = await issue({ subject: 'CN=default.test', issuer: authority, names: ['default.test'] })
    const server = createServer({ key: await other.keyPem(), cert: other.pem }, (socket) =>
      socket.on('error', () => socket.destroy()),
    )
    server.addContext('shop.test', { key: await leaf.keyPem(), cert: leaf.pem })
    server.on('tlsClientError', () => undefined)
    server.on('OCSPRequest', (_certificate, _issuer, callback) => callback(null, Buffer.from('30030a0103', 'hex')))
    const facts = await collectFrom(await serve(server))
    const subjectOf = (handshake: Handshake | undefined) =>
      handshake?.result.ok ? facts.certificates[handshake.result.chain[0] ?? -1]?.subject : null
    expect(subjectOf(ordinary(facts))).toBe('CN=shop.test')
    expect(subjectOf(facts.handshakes.find(({ servername }) => servername === null))).toBe('CN=default.test')
    expect(ordinary(facts)?.result).toMatchObject({ staple: { status: 'unreadable' } })
  })

  it('records that a port speaks something else', async () => {
    const port = await serve(
      createTcpServer((socket) =>
        socket
          .on('error', () => socket.destroy())
          .resume()
          .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      ),
    )
    const facts = await collectFrom(port)
    expect(facts.handshakes).toHaveLength(1)
    expect(ordinary(facts)?.result).toMatchObject({ ok: false, code: 'protocol' })
  })

  it('records a closed port', async () => {
    const facts = await collectFrom(9)
    expect(ordinary(facts)?.result).toMatchObject({ ok: false, code: 'unreachable' })
    expect(facts).toMatchObject({ certificates: [], sibling: null })
  })
})
