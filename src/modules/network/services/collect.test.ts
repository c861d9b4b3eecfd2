import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { importFeed } from '../../../knowledge/feeds/import.ts'
import { caseAddress, collectContext, serveCase } from '../../testing/collecting.ts'
import { casePorts } from '../ports/testing/ports-facts.ts'
import { collectServices } from './collect.ts'
import type { ServicesFacts } from './facts.ts'
import { services } from './module.ts'
import { type Fake, serveFake, serveSockets } from './testing/fakes.ts'

const address = caseAddress(63)
const fakes: Fake[] = []
const folder = mkdtempSync(join(tmpdir(), 'sonde-recog-'))
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const keep = async (fake: Promise<Fake>): Promise<number> => {
  const served = await fake
  fakes.push(served)
  return served.port
}

type Given = Pick<Parameters<typeof collectContext>[1] & object, 'settings' | 'knowledge'>
const collect = async (open: readonly number[], change: Parameters<typeof casePorts>[0] = {}, given: Given = {}) => {
  const { ctx, evidence, close } = collectContext(address, {
    module: 'services',
    requests: 20_000,
    ...given,
  })
  try {
    const facts = await collectServices(
      ctx,
      casePorts({ host: 'shop.test', address, open, openCount: open.length, ...change }),
    )
    // What is stored is what is judged: facts have to survive JSON.
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts)
    return { facts, evidence }
  } finally {
    await close()
  }
}
const only = (facts: ServicesFacts) => facts.services[0]

describe('collectServices', () => {
  it('knows a service by its greeting on a port nobody expects', async () => {
    const port = await keep(serveFake(address, { greeting: 'SSH-2.0-OpenSSH_8.4p1 Debian-5\r\n' }))
    const { facts } = await collect([port])
    expect(only(facts)).toMatchObject({
      by: 'protocol',
      service: 'ssh',
      product: 'OpenSSH',
      version: '8.4p1',
      tls: false,
    })
  })

  it('knows a service that waits to be asked, on a port nobody expects', async () => {
    const port = await keep(
      serveFake(address, {
        answer: (bytes) =>
          bytes.includes('INFO') ? '$24\r\nredis_version:6.2.1\r\n\r\n\r\n\r\n' : '-ERR unknown command\r\n',
      }),
    )
    const { facts, evidence } = await collect([port])
    expect(only(facts)).toMatchObject({ service: 'redis', version: '6.2.1', access: { kind: 'datastore' } })
    expect(evidence.map(({ filename }) => filename)).toEqual([`${port}-redis.txt`])
    expect(String(evidence[0]?.body)).toContain('redis_versi')
  })

  it('knows web servers with and without TLS, and an interface that answers strangers', async () => {
    const server = await serveCase(63, {
      http: (_request, response) => response.setHeader('Server', 'nginx/1.20.0').end('<title>x</title>'),
      https: (_request, response) => response.setHeader('Server', 'Apache/2.4.1').end('x'),
    })
    const couch = await serveHttp(5984, (path) =>
      path === '/' ? '{"couchdb":"Welcome","version":"3.3.3"}' : path === '/_all_dbs' ? '["orders"]' : null,
    )
    try {
      const { facts } = await collect([80, 443, 5984])
      expect(facts.services).toMatchObject([
        { port: 80, service: 'http', tls: false, product: 'nginx', version: '1.20.0', access: null },
        { port: 443, service: 'http', tls: true, product: 'Apache httpd', version: '2.4.1', access: null },
        { port: 5984, service: 'couchdb', version: '3.3.3', access: { kind: 'datastore' } },
      ])
    } finally {
      await server.close()
      couch.close()
    }
  })

  it('never writes to printers and controllers', async () => {
    const heard: Buffer[] = []
    for (const port of [102, 502, 9100]) {
      await keep(serveSockets(address, (socket) => socket.on('data', (chunk: Buffer) => heard.push(chunk)), port))
    }
    const { facts } = await collect([102, 502, 9100])
    expect(facts.services.map(({ by }) => by)).toEqual(['untouched', 'untouched', 'untouched'])
    expect(heard).toEqual([])
  })

  it('says when a service is only guessed by its port', async () => {
    const port = 3632
    await keep(serveSockets(address, (socket) => socket.resume(), port))
    const { facts } = await collect([port])
    expect(only(facts)).toMatchObject({ by: 'port', service: 'distcc', product: null })
  })

  it('of a host that accepts everything lists only what speaks', async () => {
    await keep(serveSockets(address, (socket) => socket.resume(), 6379))
    await keep(serveFake(address, { greeting: 'SSH-2.0-Go\r\n' }, 22))
    const { facts } = await collect([22, 6379, 50_000], { decoys: { tried: 12, open: 12 } })
    expect(facts).toMatchObject({ everythingOpen: true, services: [{ port: 22, service: 'ssh' }] })
  })

  it('lets imported rules fill what ours leave open', async () => {
    writeFileSync(
      join(folder, 'ftp.xml'),
      '<fingerprints matches="ftp.banner"><fingerprint pattern="^Acme (\\S+)"><description>Acme FTP</description><param pos="0" name="service.product" value="AcmeFTP"/><param pos="1" name="service.version"/></fingerprint></fingerprints>',
    )
    const port = await keep(serveFake(address, { greeting: '220 Acme 5.1\r\n', answer: () => '500 no\r\n' }, 2121))
    const said = { service: 'ftp', product: 'AcmeFTP', version: '5.1', recog: 'Acme FTP' }
    const { facts } = await collect([port], {}, { settings: { recogFolder: folder } })
    expect(only(facts)).toMatchObject(said)
    expect(facts.recog).toContain('1 rules')
    const knowledge = join(folder, 'knowledge')
    const { version } = importFeed(knowledge, 'recog', join(folder, 'ftp.xml'), new Date())
    const imported = await collect([port], {}, { knowledge })
    expect(only(imported.facts)).toMatchObject(said)
    expect(services.knowledge?.(imported.facts)).toEqual({ recog: version })
  })
})

const serveHttp = async (port: number, answer: (path: string) => string | null) => {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const body = answer(request.url ?? '')
    response.statusCode = body === null ? 404 : 200
    response.end(body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return {
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('hostile peers cost a bounded time and bounded memory', () => {
  const HOSTILE: readonly (readonly [name: string, serve: Parameters<typeof serveSockets>[1]])[] = [
    ['accepts and never speaks', (socket) => socket.resume()],
    [
      'one byte a second',
      (socket) => {
        const timer = setInterval(() => socket.write('S'), 1_000)
        socket.once('close', () => clearInterval(timer)).resume()
      },
    ],
    [
      'an endless banner',
      (socket) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'A')));
        }
        socket.on('drain', more).resume()
        more()
      },
    ],
    [
      'garbage',
      (socket) => {
        socket.on('data', (chunk: Buffer) => socket.write(Buffer.from(chunk.map((byte) => byte ^ 0xa5))))
      },
    ],
    ['closes at once', (socket) => socket.destroy()],
    ['resets when spoken to', (socket) => socket.on('data', () => socket.resetAndDestroy())],
    [
      'a TLS handshake that never ends',
      (socket) => socket.on('data', () => socket.write(Buffer.from('160303ffff', 'hex'))),
    ],
    [
      'an endless HTTP header',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const more = (): void => {
          while (!socket.destroyed && socket.write(`X-${'a'.repeat(8_000)}: b\r\n`));
        }
        socket.on('drain', more).resume()
        more()
      },
    ],
  ]

  it('all of them at once, and a good one among them is still found', { timeout: 120_000 }, async () => {
    const ports = await Promise.all(HOSTILE.map(([, serve]) => keep(serveSockets(address, serve))))
    const good = await keep(serveFake(address, { greeting: 'SSH-2.0-dropbear_2022.83\r\n' }))
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const { facts } = await collect([...ports, good])
    expect(facts.services.find(({ port }) => port === good)).toMatchObject({ service: 'ssh', product: 'Dropbear sshd' })
    for (const service of facts.services.filter(({ port }) => port !== good)) {
      expect(service.exchange.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(64 * 1024)
      expect(service.access).toBeNull()
    }
    // Peers here are in the same process; both sides' buffers together stay far below what was sent.
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20)
  })
})
