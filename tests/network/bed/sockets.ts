/**
 * Every function that opens a socket, with every way it can fail in this namespace; one line of JSON: name to what came.
 * `sockets.ts files` first takes every descriptor that the limit leaves. An error without an owner ends the process.
 */
import { closeSync, openSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { createEgress } from '../../../src/egress/door/create-egress.ts'
import { startDeadline } from '../../../src/egress/door/deadline.ts'
import { EgressError } from '../../../src/egress/door/egress.ts'
import { listenHttp, listenUdp } from '../../../src/egress/sockets/listen.ts'
import { fastestOpener, type Opened, type Opener, socketOpener } from '../../../src/egress/sockets/opener.ts'
import { dial, requestOver } from '../../../src/egress/sockets/tcp.ts'
import { handshake } from '../../../src/egress/sockets/tls.ts'
import { converse, hasRoute } from '../../../src/egress/sockets/udp.ts'

const ADDRESSES = {
  'no IPv6 route': '2001:db8::1',
  'no IPv4 route': '203.0.113.1',
  unreachable: '198.51.100.1',
  prohibited: '192.0.2.1',
  blackhole: '198.18.0.1',
  broadcast: '255.255.255.255',
  'nobody listens': '127.0.0.9',
  'a name': 'localhost',
  nothing: '',
} as const

type Way = (address: string, port: number, signal: AbortSignal) => Promise<unknown>

const payload = Buffer.from('hello')
const opening =
  (open: Opener): Way =>
  (address, port) =>
    new Promise<Opened>((resolve) => void open(address, port, resolve))
const WAYS: Readonly<Record<string, Way>> = {
  dial: async (address, port, signal) => (await dial({ address, port, signal })).destroy(),
  'connected UDP': (address, port, signal) =>
    converse({ address, port, payload, what: 'peer', hear: () => undefined, signal }),
  'unconnected UDP': (address, port, signal) =>
    converse({ address, port, payload, what: 'peer', hear: () => undefined, anyPort: true, signal }),
  'UDP that listens for a while': (address, port, signal) => {
    const silence = { wait: 300, give: () => 'silence' }
    return converse({ address, port, payload, what: 'peer', hear: () => undefined, silence, signal })
  },
  route: (address, _port, signal) => hasRoute(address, signal),
  'sweep by handle': opening(fastestOpener()),
  'sweep by socket': opening(socketOpener),
}

const outcome = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work)
  } catch (error) {
    return error instanceof EgressError ? `${error.code}${error.noRoute ? ', no route' : ''}` : `not ours: ${error}`
  }
}

const found: Record<string, string> = {}
const trying = async (name: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
  const deadline = startDeadline(1_500, new AbortController().signal, name)
  found[name] = await outcome((async () => work(deadline.signal))())
  deadline.end()
}

const everyWay = async (): Promise<void> => {
  for (const [name, way] of Object.entries(WAYS)) {
    for (const [which, address] of Object.entries(ADDRESSES)) {
      // A sweep gets addresses that the guard has judged, and no others.
      if (name.startsWith('sweep') && (address === '' || address === 'localhost')) continue
      await trying(`${name}: ${which}`, (signal) => way(address, 9, signal))
    }
    if (name !== 'route' && !name.startsWith('sweep')) {
      await trying(`${name}: a port that is none`, (signal) => way('127.0.0.9', 70_000, signal))
    }
    if (name.startsWith('sweep')) continue
    const reason = new EgressError('aborted', 'told to stop')
    await trying(`${name}: stopped before`, () => way('127.0.0.9', 9, AbortSignal.abort(reason)))
    await trying(`${name}: stopped after`, () => {
      const stop = new AbortController()
      const work = way('203.0.113.1', 9, stop.signal)
      stop.abort(reason)
      return work
    })
  }
}

/** Errors after the socket was handed over: nobody listens, and the process goes on. */
const lateErrors = async (): Promise<void> => {
  const taken: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    taken.push(socket)
  })
  await new Promise<void>((resolve) => server.listen(9_100, '127.0.0.8', resolve))
  const signal = new AbortController().signal
  await trying('late error of a socket', async () => {
    const socket = await dial({ address: '127.0.0.8', port: 9_100, signal })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.destroy(new Error('late'))
    await closed
    socket.destroy(new Error('later'))
    return 'closed'
  })
  await trying('reset of a socket', async () => {
    const socket = await dial({ address: '127.0.0.8', port: 9_100, signal })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    while (taken.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    taken.at(-1)?.resetAndDestroy()
    socket.resume()
    await closed
    return 'closed'
  })
  await trying('TLS: stopped before', () =>
    handshake(new PassThrough(), { host: 'x.test' }, AbortSignal.abort(new EgressError('aborted', 'stop'))),
  )
  await trying('TLS: a cipher list that is none', () =>
    handshake(new PassThrough(), { host: 'x.test', ciphers: 'NOSUCHCIPHER' }, signal),
  )
  await trying('TLS: the peer goes', () => {
    const peer = new PassThrough()
    setImmediate(() => peer.destroy(new Error('gone')))
    return handshake(peer, { host: 'x.test' }, signal)
  })
  await trying('request: a header that is none', async () => {
    requestOver(new PassThrough(), { method: 'GET', path: '/', headers: ['A', 'b\r\nc'] })
  })
  await trying('listening over HTTP where somebody does', () =>
    listenHttp({}, { port: 9_100, bind: '127.0.0.8' }, () => undefined),
  )
  await trying('listening over UDP at nobody’s address', () =>
    listenUdp({ port: 9_101, bind: '203.0.113.7' }, () => undefined),
  )
  server.close()
  for (const socket of taken) socket.destroy()
}

/** With no descriptor left, through the whole of egress. */
const withoutFiles = async (): Promise<void> => {
  const run = createEgress({
    settings: {
      hosts: { 'shop.test': ['127.0.0.9'] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: ['127.0.0.9'],
      requestsPerSecond: 100,
      concurrency: 10,
      contact: '',
      trafficKey: '',
    },
    runId: '00000000-0000-4000-8000-00000000000a',
    version: '0.0.0',
    target: { host: 'shop.test', port: null },
    credentials: { cookie: null, header: null },
    audit: () => undefined,
    signal: new AbortController().signal,
  })
  const egress = run.forModule('bench', { requests: 100_000, signal: new AbortController().signal })
  const held: number[] = []
  try {
    for (;;) held.push(openSync('/dev/null', 'r'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) throw error
  }
  const host = 'shop.test'
  const WAYS_OUT: Readonly<Record<string, () => Promise<unknown>>> = {
    http: () => egress.http({ url: `http://${host}/`, timeout: 1_000 }),
    connect: () => egress.connect({ host, port: 9, timeout: 1_000 }),
    tls: () => egress.tls({ host, port: 9, timeout: 1_000 }),
    dns: () => egress.dns({ name: host, type: 'TXT' }),
    'dns at a server': () => egress.dns({ name: host, type: 'TXT', server: '127.0.0.9' }),
    resolve: () => egress.resolve('other.test'),
    datagram: () => egress.datagram({ host, port: 9, payload }),
    sweep: () => egress.sweep({ host, ports: [1, 2, 3] }),
  }
  for (const [name, way] of Object.entries(WAYS_OUT)) found[`no descriptors: ${name}`] = await outcome(way())
  for (const descriptor of held) closeSync(descriptor)
  found['descriptors again'] = await outcome(egress.connect({ host, port: 9, timeout: 1_000 }))
  await run.close()
}

if (process.argv[2] === 'files') await withoutFiles()
else {
  await everyWay()
  await lateErrors()
}
process.stdout.write(`${JSON.stringify(found)}\n`)
process.exit(0)
