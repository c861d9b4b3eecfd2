import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { portRanges } from '../audit/sweep-audit.ts'
import { handleOpener, type Opener, socketOpener } from '../sockets/opener.ts'
import { listen, openBench } from '../testing/servers.ts'
import { EgressError } from './egress.ts'
import { sweep } from './sweep.ts'

const PORTS = Array.from({ length: 600 }, (_, index) => index + 1)
const never = new AbortController().signal

/** A host without sockets: decides for each attempt what it answers, null for silence. */
const host = (answer: (port: number, nth: number, inFlight: number) => 'open' | 'closed' | 'local' | null) => {
  const tries = new Map<number, number>()
  let inFlight = 0
  let most = 0
  const open: Opener = (_address, port, done) => {
    const nth = (tries.get(port) ?? 0) + 1
    tries.set(port, nth)
    inFlight += 1
    most = Math.max(most, inFlight)
    const what = answer(port, nth, inFlight)
    let over = false
    const end = (): boolean => {
      if (over) return false
      over = true
      inFlight -= 1
      return true
    }
    if (what !== null) {
      setImmediate(() => {
        if (end()) done(what)
      })
    }
    return { drop: end }
  }
  return { open, most: () => most, tries }
}

const run = (open: Opener, more: Partial<Parameters<typeof sweep>[0]> = {}) =>
  sweep({ address: '127.0.0.1', ports: PORTS, open, signal: never, patience: 100, ...more })

describe('sweep', () => {
  it('slows down when answers are lost, and misses no port', async () => {
    const lossy = host((port, _nth, inFlight) => (inFlight > 40 ? null : port % 50 === 0 ? 'open' : 'closed'))
    const swept = await run(lossy.open)
    expect(swept.open).toEqual(PORTS.filter((port) => port % 50 === 0))
    expect(swept.filtered).toEqual([])
    expect(swept.slowedTo).not.toBeNull()
    expect(swept.recovered).toBeGreaterThan(0)
  })

  it('takes a wall for a wall: silent twice is filtered, and no reason to slow down', async () => {
    const wall = host((port) => (port === 443 ? 'open' : null))
    const swept = await run(wall.open)
    expect(swept.open).toEqual([443])
    expect(swept.filtered).toHaveLength(PORTS.length - 1)
    expect(swept.slowedTo).toBeNull()
    expect(Math.max(...wall.tries.values())).toBeLessThanOrEqual(3)
  })

  it('goes on with rounds while they find something', async () => {
    const patient = host((port, nth) => (nth > (port % 3) + 1 ? 'open' : null))
    const swept = await run(patient.open, { ports: PORTS.slice(0, 12) })
    expect(swept.open).toHaveLength(12)
  })

  it('tries again when this machine had run out', async () => {
    const short = host((_port, nth) => (nth === 1 ? 'local' : 'closed'))
    const swept = await run(short.open, { ports: PORTS.slice(0, 50) })
    expect(swept.closed).toHaveLength(50)
  })

  it('never has more attempts under way than its window', async () => {
    const free = host(() => 'closed')
    await run(free.open, { window: 20 })
    expect(free.most()).toBeLessThanOrEqual(20)
  })

  it('ends with the signal, and with the budget', async () => {
    const stop = new AbortController()
    const silent = host(() => null)
    const stopped = run(silent.open, { signal: stop.signal })
    stop.abort(new Error('cancelled'))
    await expect(stopped).rejects.toThrow('cancelled')
    let left = 10
    const spend = () => {
      left -= 1
      if (left < 0) throw new EgressError('budget', 'spent')
    }
    await expect(run(host(() => 'closed').open, { spend })).rejects.toThrow('spent')
  })

  it('takes 65,535 open ports as they come', async () => {
    const all = Array.from({ length: 65_535 }, (_, index) => index + 1)
    expect((await run(host(() => 'open').open, { ports: all })).open).toEqual(all)
  })

  it('of nothing is over at once', async () => {
    expect(await run(socketOpener, { ports: [] })).toMatchObject({ open: [], closed: [], filtered: [], attempts: 0 })
  })
})

describe.each([
  ['a handle', handleOpener()],
  ['a socket', socketOpener],
] as const)('opener by %s', (_name, open) => {
  it('tells open from closed, on both families', async () => {
    if (!open) throw new Error('this runtime has no handle binding')
    for (const address of ['127.0.0.1', '::1']) {
      const server = await listen((socket) => socket.resume(), address)
      const gone = await listen((socket) => socket.resume(), address)
      await gone.close()
      const swept = await sweep({ address, ports: [server.port, gone.port], open, signal: never })
      expect(swept.open).toEqual([server.port])
      expect(swept.closed).toEqual([gone.port])
      await server.close()
    }
  })
})

it('a runtime without the binding is no failure', () => {
  expect(handleOpener(null)).toBeNull()
  expect(handleOpener({ TCP: 1 })).toBeNull()
})

describe('egress.sweep', () => {
  it('passes the guard, spends the budget and names every port in the audit', async () => {
    const { run: opened, egress, entries } = openBench()
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const swept = await egress.sweep({ host: 'site.test', ports: [port, 1, 2, 3] })
    expect(swept.open).toEqual([port])
    expect(egress.requests()).toBe(swept.attempts)
    const line = entries.find((entry) => entry.event === 'sweep')
    expect(line).toMatchObject({
      address: '127.0.0.1',
      detail: expect.stringContaining(`TCP ports 1-3,${port}: 1 open`),
    })
    await expect(egress.sweep({ host: '10.0.0.1', ports: [1] })).rejects.toMatchObject({ code: 'refused_by_guard' })
    await opened.close()
    server.close()
  })
})

it.each([
  [[], ''],
  [[22], '22'],
  [[3, 1, 2, 80, 81, 443], '1-3,80-81,443'],
] as const)('portRanges(%j)', (ports, text) => {
  expect(portRanges(ports)).toBe(text)
})
