import { createSocket } from 'node:dgram'
import { describe, expect, test } from 'vitest'
import { verifyTraffic } from '../../contract/traffic-identity.ts'
import { benches } from '../testing/benches.ts'
import { answering, type Bench, ok, RUN_ID, TRAFFIC_KEY } from '../testing/servers.ts'
import { EgressError } from './egress.ts'

const { closing, bench, raw } = benches()

describe('a module’s handle', () => {
  test('its budget counts every kind of request, and ends them', async () => {
    const server = await raw((socket) => socket.once('data', () => socket.end(ok('x'))))
    const { run } = bench()
    const egress = run.forModule('small', { requests: 3, signal: new AbortController().signal })
    await egress.http({ url: `http://site.test:${server.port}/` })
    ;(await egress.connect({ host: 'site.test', port: server.port })).destroy()
    await egress.dns({ name: 'site.test', type: 'A' })
    const spent = [
      egress.http({ url: `http://site.test:${server.port}/` }),
      egress.connect({ host: 'site.test', port: server.port }),
      egress.tls({ host: 'site.test', port: server.port }),
      egress.dns({ name: 'site.test', type: 'A' }),
      egress.datagram({ host: 'site.test', port: 9, payload: Buffer.from('x') }),
    ]
    for (const result of await Promise.allSettled(spent)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'budget' } })
    }
    expect(egress.requests()).toBe(3)
    expect(await egress.resolve('site.test')).toMatchObject({ source: 'hosts' })
  })

  test('once the run is silent nothing leaves, by whatever way: a sweep that goes on ends, too', async () => {
    const server = await raw((socket) => socket.once('data', () => socket.end(ok('x'))))
    const silence = new AbortController()
    const { egress } = bench({ silence: silence.signal })
    const swept = egress.sweep({ host: 'site.test', ports: Array.from({ length: 60_000 }, (_, port) => port + 1) })
    const settled = Promise.allSettled([swept])
    await expect.poll(egress.requests).toBeGreaterThan(100)
    silence.abort(new EgressError('budget', 'hush'))
    expect(await settled).toMatchObject([{ status: 'rejected', reason: { code: 'budget', message: 'hush' } }])
    const asked = egress.requests()
    const before = server.connections()
    const host = { host: 'site.test', port: server.port }
    const refused = [
      ...[egress.http({ url: `http://site.test:${server.port}/` }), egress.connect(host), egress.tls(host)],
      ...[egress.dns({ name: 'site.test', type: 'A' }), egress.sweep({ host: 'site.test', ports: [1] })],
      egress.datagram({ host: 'site.test', port: 9, payload: Buffer.from('x') }),
    ]
    for (const result of await Promise.allSettled(refused))
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'hush' } })
    expect([egress.requests(), server.connections()]).toEqual([asked, before])
  })

  const endings: [who: string, end: (made: Bench, stop: AbortController) => void][] = [
    ['the module is closed', (made) => void made.egress.close()],
    ['the run is closed', (made) => void made.run.close()],
    ['the run is stopped', (made) => made.stop.abort()],
  ]
  test.each(endings)('when %s, everything under way ends', async (_, end) => {
    const server = await raw(() => undefined)
    const made = bench()
    const { egress } = made
    const socket = await egress.connect({ host: 'site.test', port: server.port })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const asked = egress.http({ url: `http://site.test:${server.port}/` })
    const secured = egress.tls({ host: 'site.test', port: server.port })
    const settled = Promise.allSettled([asked, secured])
    await expect.poll(server.connections).toBe(3)
    end(made, made.stop)
    await closed
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } })
    await expect(egress.http({ url: `http://site.test:${server.port}/` })).rejects.toMatchObject({ code: 'aborted' })
  })

  test('one module’s end leaves the others alone', async () => {
    const server = await raw((socket) => socket.once('data', () => socket.end(ok('x'))))
    const { run, egress } = bench()
    const other = run.forModule('other', { requests: 5, signal: AbortSignal.abort() })
    await expect(other.http({ url: `http://site.test:${server.port}/` })).rejects.toMatchObject({ code: 'aborted' })
    expect((await egress.http({ url: `http://site.test:${server.port}/` })).status).toBe(200)
  })
})

describe('raw connections', () => {
  test('go to the pinned address; names and addresses alike', async () => {
    const server = await raw((socket) => socket.end('220 banner\r\n'))
    const { egress, entries } = bench()
    for (const host of ['site.test', '127.0.0.1', '2130706433']) {
      const socket = await egress.connect({ host, port: server.port })
      expect(socket.remoteAddress).toBe('127.0.0.1')
      expect((await socket.toArray()).join('')).toBe('220 banner\r\n')
    }
    expect(entries.filter(({ event }) => event === 'connect')).toHaveLength(3)
    await server.close()
    await expect(egress.connect({ host: 'site.test', port: server.port })).rejects.toMatchObject({
      code: 'unreachable',
    })
    await expect(egress.connect({ host: 'site.test', port: 0 })).rejects.toMatchObject({ code: 'protocol' })
    await expect(egress.connect({ host: '192.168.7.7', port: 80 })).rejects.toMatchObject({ code: 'refused_by_guard' })
    await expect(egress.connect({ host: 'a b', port: 80 })).rejects.toMatchObject({ code: 'unresolvable' })
    expect(entries.at(-2)).toMatchObject({ event: 'connect', error: expect.stringContaining('refused_by_guard') })
  })
})

test('datagrams: replies of one peer within the wait', async () => {
  const server = createSocket('udp4')
  const stranger = createSocket('udp4')
  server.on('message', (message, peer) => {
    stranger.send('from elsewhere', peer.port, peer.address)
    server.send('one', peer.port, peer.address)
    server.send(message, peer.port, peer.address)
  })
  await new Promise<void>((resolve) => {
    server.bind(0, '127.0.0.1', resolve)
  })
  closing.push(async () => {
    server.close()
    stranger.close()
  })
  const { egress } = bench()
  const replies = await egress.datagram({
    host: 'site.test',
    port: server.address().port,
    payload: Buffer.from('two'),
    wait: 300,
  })
  expect(replies.map(String)).toEqual(['one', 'two'])
  const closed = egress.datagram({ host: 'site.test', port: 1, payload: Buffer.from('x'), wait: 1_000 })
  await expect(closed).rejects.toMatchObject({ code: 'unreachable' })
})

describe('traffic identity', () => {
  test('the header of a real request is verified by its key, and by no other', async () => {
    const server = await answering(ok('x'))
    closing.push(server.close)
    const { egress } = bench()
    await egress.http({
      url: `http://site.test:${server.port}/`,
      headers: [
        ['Sonde-Run', 'forged'],
        ['User-Agent', 'mine'],
      ],
    })
    const head = server.heads[0] ?? ''
    const values = [...head.matchAll(/^Sonde-Run: (.*)\r$/gim)].map(([, value = '']) => value)
    expect(values).toHaveLength(1)
    const [value = ''] = values
    expect(verifyTraffic(value, TRAFFIC_KEY)).toMatchObject({ runId: RUN_ID })
    expect(verifyTraffic(value, Buffer.from('other').toString('base64url'))).toBeNull()
    expect(head).toContain('User-Agent: mine')
    const [run = '', at = '', seal = ''] = value.split('.')
    for (const altered of [
      `${run.replace(/^0/, '1')}.${at}.${seal}`,
      `${run}.${Number(at) + 1}.${seal}`,
      `${run}.${at}.${seal.slice(0, -2)}AA`,
      `${run}.${at}`,
      '',
      `${value}x`,
      'x'.repeat(100_000),
    ]) {
      expect(verifyTraffic(altered, TRAFFIC_KEY)).toBeNull()
    }
  })
})
