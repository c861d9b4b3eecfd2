/** Proxies that pass on what strangers ask for, and web services that only look as if they did. */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { casePorts } from '../ports/testing/ports-facts.ts'
import { casePair } from '../tls-deep/testing/survey-case.ts'
import { collectServices } from './collect.ts'
import { openProxies } from './open-proxy.ts'
import { serveFake } from './testing/fakes.ts'
import { caseServices } from './testing/services-facts.ts'

const address = caseAddress(64)
const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listen = async (server: Server | ReturnType<typeof createTlsServer>): Promise<number> => {
  server.listen(0, address)
  await once(server, 'listening')
  cleanups.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const web = (answer: RequestListener, connects?: (port: number) => boolean): Promise<number> => {
  const server = createHttpServer(answer)
  if (connects)
    server.on('connect', ({ url = '' }, socket) => {
      const port = Number(url.split(':').at(-1))
      socket.on('error', () => socket.destroy())
      if (!connects(port)) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      const there = connect(port, address, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        there.pipe(socket)
        socket.pipe(there)
      }).on('error', () => socket.destroy())
      cleanups.push(() => {
        there.destroy()
        socket.destroy()
      })
    })
  return listen(server)
}

const page =
  (text: string): RequestListener =>
  (_request, response) => {
    response.end(`<!doctype html><title>${text}</title><p>${text} in words enough to be told from others.</p>`)
  }
/** Passes on what has an address in full; has a page of its own for the rest. */
const forwards: RequestListener = (asked, response) => {
  const url = URL.parse(asked.url ?? '')
  if (url === null) return page('A cache')(asked, response)
  request(url, { headers: { host: url.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502)
    answer.pipe(response)
  })
    .on('error', () => response.writeHead(502).end())
    .end()
}

const ssh = async (): Promise<number> => {
  const fake = await serveFake(address, { greeting: 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n' })
  cleanups.push(fake.close)
  return fake.port
}

const proxiesOf = async (...open: readonly number[]) => {
  const { ctx, close } = collectContext(address, { module: 'services', requests: 20_000 })
  try {
    const ports = casePorts({ host: 'shop.test', address, open, openCount: open.length })
    return (await collectServices(ctx, ports)).proxies
  } finally {
    await close()
  }
}

describe('askProxies', () => {
  it('CONNECT to a service that greets', async () => {
    const [proxy, other] = [await web(page('A cache'), () => true), await ssh()]
    const proxies = await proxiesOf(proxy, other)
    expect(proxies?.found).toMatchObject([{ port: proxy, through: other, method: 'CONNECT' }])
  })

  it('CONNECT to TLS alone', async () => {
    const { keyPem, certPem } = casePair('ec')
    const secure = await listen(createTlsServer({ key: keyPem, cert: certPem }, (socket) => socket.end()))
    const proxy = await web(page('A cache'), (port) => port === secure)
    const proxies = await proxiesOf(proxy, secure)
    expect(proxies?.found).toMatchObject([{ port: proxy, through: secure, method: 'CONNECT' }])
  })

  it('GET of an address in full, where CONNECT is refused', async () => {
    const [proxy, shop] = [await web(forwards, () => false), await web(page('A shop'))]
    const proxies = await proxiesOf(proxy, shop)
    expect(proxies).toMatchObject({
      asked: [proxy, shop].toSorted((a, b) => a - b),
      open: [],
      found: [{ port: proxy, through: shop, method: 'GET' }],
    })
  })

  it.each([
    ['servers that pay no heed to the address', page('A shop'), page('A blog')],
    ['the same page at both ports', page('A shop'), page('A shop')],
  ])('accuses nobody: %s', async (_name, one, other) => {
    const ports = [await web(one), await web(other), await ssh()]
    expect(await proxiesOf(...ports)).toMatchObject({ asked: ports.slice(0, 2).toSorted((a, b) => a - b), found: [] })
  })

  it('accuses nobody who says yes to every method', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const fake = await serveFake(address, { answer: () => answer })
    cleanups.push(fake.close)
    const other = await ssh()
    expect(await proxiesOf(fake.port, other)).toMatchObject({ asked: [fake.port], found: [] })
  })

  it('says where there is nothing to ask for', async () => {
    const alone = await web(page('A shop'))
    expect(await proxiesOf(alone)).toEqual({ asked: [], open: [alone], found: [] })
  })
})

const found = { port: 3128, through: 22, method: 'CONNECT' as const, exchange: [], replay: 'curl' }
const facts = (proxies: NonNullable<ReturnType<typeof caseServices>['proxies']>) => ({ ...caseServices(), proxies })
const known = { ports: casePorts({}) }

judgeCases(openProxies, [
  {
    name: 'found',
    facts: facts({ asked: [80, 3128], open: [], found: [found] }),
    known,
    expect: ['services/open-proxy'],
  },
  { name: 'none', facts: facts({ asked: [80], open: [], found: [] }), known, expect: [] },
  {
    name: 'nothing to ask for',
    facts: facts({ asked: [], open: [80], found: [] }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'no web service',
    facts: facts({ asked: [], open: [], found: [] }),
    known,
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'an older run', facts: caseServices(), known, expect: [], unjudged: 'not_applicable' },
])
