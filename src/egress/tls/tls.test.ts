import tls from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { type Issued, issue } from '../testing/certificates.ts'
import { listen } from '../testing/servers.ts'

const { closing, bench } = benches()

let root: Issued
let intermediate: Issued
let leaf: Issued
let stranger: Issued
beforeAll(async () => {
  root = await issue('Root')
  intermediate = await issue('Intermediate', root)
  leaf = await issue('site.test', intermediate)
  stranger = await issue('Stranger')
})

const secure = async (
  options: tls.TlsOptions,
  serve: (socket: tls.TLSSocket) => void = () => undefined,
): Promise<number> => {
  const sockets = new Set<tls.TLSSocket>()
  const server = tls.createServer({ key: leaf.keyPem, cert: leaf.pem, ...options }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  })
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

describe('the chain as the server sent it', () => {
  const versions = ['TLSv1.2', 'TLSv1.3'] as const
  test.each(versions)('%s: wrong order and a needless certificate show', async (version) => {
    const sent = [leaf, stranger, root, intermediate]
    const port = await secure({ cert: sent.map(({ pem }) => pem).join('\n'), minVersion: version, maxVersion: version })
    const { egress, entries } = bench()
    const session = await egress.tls({ host: 'site.test', port })
    expect(session.protocol).toBe(version)
    expect(session.chain).toEqual(sent.map(({ der }) => der))
    expect(session.authorizationError).toBe('SELF_SIGNED_CERT_IN_CHAIN')
    expect(entries.at(-1)).toMatchObject({
      event: 'tls',
      address: '127.0.0.1',
      detail: expect.stringContaining(version),
    })
  })

  const suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']
  test.each(suites)('%s', async (ciphers) => {
    const port = await secure({ ciphers, minVersion: 'TLSv1.3' })
    const { egress } = bench()
    const session = await egress.tls({ host: 'site.test', port })
    expect(session).toMatchObject({
      cipher: ciphers,
      chain: [leaf.der],
      authorizationError: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    })
  })

  test('after a hello retry request', async () => {
    const port = await secure({ ecdhCurve: 'secp521r1', minVersion: 'TLSv1.3' })
    const { egress } = bench()
    expect((await egress.tls({ host: 'site.test', port })).chain).toEqual([leaf.der])
  })

  test('a chain of 200 KiB, in many records', async () => {
    const many = Array.from({ length: 90 }, () => [leaf, intermediate]).flat()
    const port = await secure({ cert: [leaf, ...many].map(({ pem }) => pem).join('\n'), minVersion: 'TLSv1.3' })
    const { egress } = bench()
    const session = await egress.tls({ host: 'site.test', port }).catch((error) => error)
    // OpenSSL's own limit for the message is near: either it is read whole, or refused; never in part.
    if ('chain' in session) expect(session.chain).toHaveLength(181)
    else expect(session).toMatchObject({ name: 'EgressError' })
  })
})

describe('what is negotiated', () => {
  test('ALPN and server name', async () => {
    const names: (string | false | null)[] = []
    const port = await secure({ ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => names.push(socket.servername))
    const { egress } = bench()
    expect((await egress.tls({ host: 'site.test', port, alpn: ['h2', 'http/1.1'] })).alpn).toBe('h2')
    expect((await egress.tls({ host: 'site.test', port, servername: null })).alpn).toBeNull()
    expect((await egress.tls({ host: 'site.test', port, servername: 'other.test' })).authorizationError).not.toBeNull()
    await expect.poll(() => names).toEqual(['site.test', false, 'other.test'])
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is spoken where the server has nothing better', async (version) => {
    const port = await secure({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' })
    const { egress } = bench()
    expect((await egress.tls({ host: 'site.test', port })).protocol).toBe(version)
    const refused = egress.tls({ host: 'site.test', port, minVersion: 'TLSv1.2' })
    await expect(refused).rejects.toMatchObject({ code: 'protocol' })
  })

  test('a cipher list that this build cannot offer', async () => {
    const port = await secure({})
    const { egress } = bench()
    await expect(egress.tls({ host: 'site.test', port, ciphers: 'NO-SUCH-CIPHER' })).rejects.toMatchObject({
      code: 'protocol',
    })
  })
})

describe('peers that do not speak TLS', () => {
  const peers: [trick: string, serve: Parameters<typeof listen>[0], code: string][] = [
    ['silent', () => undefined, 'timeout'],
    ['closes at once', (socket) => socket.end(), 'unreachable'],
    ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'unreachable'],
    ['speaks first, in clear', (socket) => socket.write('220 ready\r\n'), 'protocol'],
  ]
  test.each(peers)('%s', async (_, serve, code) => {
    const server = await listen(serve)
    closing.push(server.close)
    const { egress } = bench()
    await expect(egress.tls({ host: 'site.test', port: server.port, timeout: 500 })).rejects.toMatchObject({ code })
  })
})

describe('https', () => {
  const respond = (socket: tls.TLSSocket) =>
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))

  test('an invalid certificate is told, and stops only when asked to', async () => {
    const port = await secure({}, respond)
    const { egress } = bench()
    const url = `https://site.test:${port}/`
    for (let i = 0; i < 2; i += 1) {
      expect(await egress.http({ url })).toMatchObject({
        status: 200,
        certificateError: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      })
    }
    await expect(egress.http({ url, insecure: false })).rejects.toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('certificate'),
    })
  })

  test('the pinned address is dialled, the name is asked for', async () => {
    const names: (string | false | null)[] = []
    const port = await secure({}, (socket) => {
      names.push(socket.servername)
      respond(socket)
    })
    const { egress } = bench()
    expect((await egress.http({ url: `https://site.test:${port}/` })).address).toBe('127.0.0.1')
    expect((await egress.http({ url: `https://127.0.0.1:${port}/` })).status).toBe(200)
    expect(names).toEqual(['site.test', false])
  })
})
