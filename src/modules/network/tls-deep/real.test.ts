import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TlsOptions } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import { CASE_ADDRESS, casePair, surveyCase } from './testing/survey-case.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listen = async (server: Server): Promise<number> => {
  server.listen(0, CASE_ADDRESS)
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

const nodeServer = (options: TlsOptions, kind: 'rsa' | 'ec' = 'rsa'): Promise<number> => {
  const pair = casePair(kind)
  const server = createServer({ key: pair.keyPem, cert: pair.certPem, ...options }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  })
  server.on('tlsClientError', () => undefined)
  return listen(server)
}

/** A free port, for programs that cannot be given port 0. */
const freePort = async (): Promise<number> => {
  const server = createTcpServer()
  server.listen(0, CASE_ADDRESS)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const opened = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, CASE_ADDRESS, () => {
        socket.destroy()
        resolve(true)
      }).on('error', () => resolve(false))
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the server did not start')
}

const nginx = async (lines: string): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-tls-'))
  const pair = casePair()
  const port = await freePort()
  writeFileSync(join(folder, 'key.pem'), pair.keyPem)
  writeFileSync(join(folder, 'cert.pem'), pair.certPem)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log /dev/null crit; events {}
http { access_log off; ${temporary.join(' ')}
  server { listen ${CASE_ADDRESS}:${port} ssl; ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
    ${lines} location / { return 200 "ok"; } } }`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
  cleanups.push(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  await opened(port)
  return port
}

const survey = async (port: number): Promise<EndpointFacts> => {
  const facts = await surveyCase(port)
  if (facts === null) throw new Error('not taken for a TLS server')
  return facts
}

const suitesOf = (facts: EndpointFacts, protocol: string): readonly string[] =>
  (facts.protocols.find((one) => one.protocol === protocol)?.suites ?? []).map((code) => suiteOf(code).name)

const offered = (facts: EndpointFacts): readonly string[] =>
  facts.protocols.filter((one) => one.state === 'offered').map((one) => one.protocol)

/** No probe may accuse a real, current server. */
const expectSound = (facts: EndpointFacts): void => {
  for (const flaw of ['heartbleed', 'ccs', 'robot', 'ticketbleed', 'padding'] as const) {
    expect(['safe', 'not_applicable'], `${flaw}: ${facts[flaw].notes.join('; ')}`).toContain(facts[flaw].verdict)
  }
  expect(facts.renegotiation).toMatchObject({ secure: true })
  expect(facts.renegotiation.legacyAccepted).not.toBe(true)
  expect(facts.tolerance.filter((one) => !one.ok)).toEqual([])
  expect(facts.protocols.every((one) => one.complete && one.wrongVersion === null && one.foreignSuite === null)).toBe(
    true,
  )
}

describe('real servers', () => {
  it('OpenSSL 3.5 as it comes: TLS 1.2 and 1.3 with the hybrid group', async () => {
    const facts = await survey(await nodeServer({}, 'ec'))
    expect(offered(facts)).toEqual(['TLSv1.2', 'TLSv1.3'])
    expect(suitesOf(facts, 'TLSv1.3').toSorted()).toEqual([
      'TLS_AES_128_GCM_SHA256',
      'TLS_AES_256_GCM_SHA384',
      'TLS_CHACHA20_POLY1305_SHA256',
    ])
    expect(facts.groups).toEqual(expect.arrayContaining([4588, 29, 23]))
    expect(facts.extensions).toMatchObject({
      extendedMasterSecret: true,
      secureRenegotiation: true,
      compression: false,
      downgradeMark: true,
    })
    expect(facts.fallbackScsv).toBe('honoured')
    expect(facts.clients.find((one) => one.client.startsWith('Chromium'))).toMatchObject({
      protocol: 'TLS 1.3',
      group: 'X25519MLKEM768',
      reason: null,
    })
    expect(facts.certificates[0]).toMatchObject({ key: 'ec prime256v1', bits: 256 })
    expectSound(facts)
  })

  it('TLS 1.0 to 1.2 in CBC mode: exactly the suites it was given, in its own order', async () => {
    const ciphers = 'AES256-SHA:ECDHE-RSA-AES128-SHA:AES128-SHA:@SECLEVEL=0'
    const facts = await survey(
      await nodeServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.2', ciphers, honorCipherOrder: true }),
    )
    expect(offered(facts)).toEqual(['TLSv1', 'TLSv1.1', 'TLSv1.2'])
    for (const protocol of ['TLSv1', 'TLSv1.1', 'TLSv1.2']) {
      expect(suitesOf(facts, protocol)).toEqual([
        'TLS_RSA_WITH_AES_256_CBC_SHA',
        'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
        'TLS_RSA_WITH_AES_128_CBC_SHA',
      ])
    }
    expect(facts.protocols.find((one) => one.protocol === 'TLSv1.2')?.order).toBe('server')
    expect(facts.padding.verdict).toBe('safe')
    expect(facts.robot.verdict).toBe('safe')
    expect(facts.resumption.ticket).toBe(true)
    expectSound(facts)
  })

  it('TLS 1.3 alone has nothing that old flaws need', async () => {
    const facts = await survey(await nodeServer({ minVersion: 'TLSv1.3' }))
    expect(offered(facts)).toEqual(['TLSv1.3'])
    expect(facts.extensions).toBeNull()
    expect(facts.modernExtensions).toEqual({ alpn: [], clientCertificate: false, staple: false })
    expect(facts.fallbackScsv).toBe('not_applicable')
    expect(facts.heartbleed.verdict).toBe('not_applicable')
    expectSound(facts)
  })

  it('TLS 1.3 alone: protocols, client certificates and tickets are read behind its hello', async () => {
    const facts = await survey(
      await nodeServer({
        ...{ minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: false },
        ALPNProtocols: ['h2', 'http/1.1'],
      }),
    )
    expect(facts.modernExtensions).toEqual({ alpn: ['h2', 'http/1.1'], clientCertificate: true, staple: false })
    expect(facts.resumption).toMatchObject({ ticketLifetime: 7_200, earlyData: 0 })
    expectSound(facts)
  })

  it('the hybrid with ML-KEM alone: a handshake is gone through all the same', async () => {
    const facts = await survey(await nodeServer({ minVersion: 'TLSv1.3', ecdhCurve: 'X25519MLKEM768' }))
    expect(facts.groups).toEqual([4588])
    expect(facts.certificates).toHaveLength(2)
    expect(facts.withoutName).toBe('same')
    expect(facts.resumption).toMatchObject({ ticketLifetime: 7_200, earlyData: 0 })
    expectSound(facts)
  })

  it('a curve that no first hello has a share of', async () => {
    const facts = await survey(await nodeServer({ minVersion: 'TLSv1.3', ecdhCurve: 'P-521' }))
    expect(facts.certificates).toHaveLength(2)
    expect(facts.resumption.ticketLifetime).toBe(7_200)
  })

  it('ends every connection without a certificate of the client: what lies behind is not known', async () => {
    for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
      const facts = await survey(await nodeServer({ maxVersion, minVersion: maxVersion, requestCert: true }))
      const modern = maxVersion === 'TLSv1.3'
      expect(modern ? facts.modernExtensions : facts.extensions).toMatchObject({ clientCertificate: true })
      expect(facts.resumption).toMatchObject({ earlyData: null, ticketLifetime: null })
      if (!modern) expect([facts.ticketbleed.verdict, facts.padding.verdict]).toEqual(['inconclusive', 'inconclusive'])
    }
  })

  it('asks for a client certificate', async () => {
    const facts = await survey(await nodeServer({ requestCert: true, rejectUnauthorized: false }))
    expect(facts.extensions?.clientCertificate).toBe(true)
    expectSound(facts)
  })

  it('nginx with early data: the same request is taken twice', async () => {
    const facts = await survey(await nginx('ssl_protocols TLSv1.3; ssl_early_data on;'))
    expect(facts.resumption).toMatchObject({ earlyData: 16_384, earlyDataReplayed: true })
    expectSound(facts)
  })

  it('nginx without early data', async () => {
    const facts = await survey(await nginx('ssl_protocols TLSv1.2 TLSv1.3;'))
    expect(facts.resumption).toMatchObject({ earlyData: 0, earlyDataReplayed: null })
    expectSound(facts)
  })

  it('Diffie-Hellman of 1024 bits, with its own prime', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-dh-'))
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'dh.pem')
    execFileSync('openssl', ['dhparam', '-dsaparam', '-out', file, '1024'], { stdio: 'ignore', timeout: 60_000 })
    const facts = await survey(
      await nginx(`ssl_protocols TLSv1.2; ssl_dhparam ${file}; ssl_ciphers DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0;`),
    )
    expect(suitesOf(facts, 'TLSv1.2')).toEqual(['TLS_DHE_RSA_WITH_AES_128_GCM_SHA256'])
    expect(facts.dh).toMatchObject([{ bits: 1024, knownPrime: null, reused: false }])
  })

  it('takes what is no TLS for what it is', async () => {
    const port = await listen(
      createTcpServer((socket) =>
        socket
          .on('error', () => socket.destroy())
          .resume()
          .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      ),
    )
    expect(await surveyCase(port)).toBeNull()
  })
})
