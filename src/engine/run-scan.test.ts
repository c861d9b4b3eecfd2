import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SCAN_CHILD } from '../../tests/support/scan-child.ts'
import { caseContext } from '../modules/testing/judge-cases.ts'
import type { FromChild, RunSpec } from './protocol.ts'

const ADDRESS = '127.0.40.1'
const SECRET = 'sid=correct-horse-battery-staple'
/** Milliseconds for one scan on a busy machine; its own deadline is shorter. */
const TIME = 60_000
const cleanups: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const serve = async (answer: Parameters<typeof createServer>[1]): Promise<number> => {
  const server: Server = createServer({}, answer)
  server.listen(0, ADDRESS)
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  cleanups.push(() => server.closeAllConnections())
  return (server.address() as AddressInfo).port
}

const specFor = (port: number, change: Partial<RunSpec> = {}): RunSpec => {
  const { target, options, now } = caseContext()
  return {
    runId: '00000000-0000-4000-8000-00000000000a',
    target: { ...target, port },
    options,
    egress: {
      hosts: { 'shop.test': [ADDRESS] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: ['127.0.40.9:9'],
      requestsPerSecond: 500,
      concurrency: 10,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    credentials: { cookie: null, header: null },
    now,
    deadline: 30,
    activeRefused: null,
    completed: {},
    ...change,
  }
}

interface Child {
  readonly process: ChildProcess
  readonly messages: FromChild[]
  readonly stderr: () => string
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

const startChild = (
  spec: RunSpec,
  onMessage: (message: FromChild, child: ChildProcess) => void = () => undefined,
): Child => {
  const child = fork(SCAN_CHILD, [], { serialization: 'advanced', silent: true, execArgv: [] })
  cleanups.push(() => child.kill('SIGKILL'))
  const messages: FromChild[] = []
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  child.on('message', (message) => {
    messages.push(message as FromChild)
    onMessage(message as FromChild, child)
  })
  child.send({ type: 'start', spec })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { process: child, messages, stderr: () => stderr, ended }
}

const page = (body: string) => `<!doctype html><html lang="en"><title>Shop</title>${body}</html>`

describe('a scan in a process of its own', () => {
  it(
    'scans a real server and ends by itself',
    async () => {
      const port = await serve((request, response) => {
        const known = ['/', '/about', '/login'].includes(request.url ?? '')
        response.writeHead(known ? 200 : 404, { 'Content-Type': 'text/html' })
        response.end(
          request.url === '/login'
            ? page('<form method=post><input type=password></form>')
            : page('<a href=/about>About</a><a href=/login>Sign in</a><a href=/logout>Sign out</a>'),
        )
      })
      const child = startChild(specFor(port))
      expect(await child.ended).toEqual({ code: 0, signal: null })
      expect(child.messages.at(-1), child.stderr()).toEqual({ type: 'ended', result: 'completed' })
      const site = child.messages.find((message) => message.type === 'module' && message.module === 'site')
      expect(site).toMatchObject({
        outcome: { state: 'completed' },
        facts: { baseUrl: `http://shop.test:${port}/`, addresses: [ADDRESS] },
        coverage: expect.arrayContaining([
          { module: 'site', check_id: 'site/soft-404', title: expect.any(String), state: 'pass', reason: null },
        ]),
      })
      const requests = child.messages
        .flatMap((message) => (message.type === 'audit' ? message.entries : []))
        .filter((entry) => entry.event === 'request' && entry.module === 'site')
        .map((entry) => String(entry.url))
      expect(requests).toContain(`http://shop.test:${port}/login`)
      expect(requests.filter((url) => url.includes('logout'))).toEqual([])
    },
    TIME,
  )

  it(
    'never lets the credentials out, though the server echoes them',
    async () => {
      const port = await serve((request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html', 'X-Echo': String(request.headers.cookie) })
        response.end(
          page(`<p>${request.headers.cookie}</p><p>${encodeURIComponent(String(request.headers.cookie))}</p>`),
        )
      })
      const child = startChild(specFor(port, { credentials: { cookie: SECRET, header: null } }))
      await child.ended
      expect(child.messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
      const texts = child.messages.map((message) =>
        message.type === 'evidence' ? Buffer.from(message.body).toString() : JSON.stringify(message),
      )
      expect(texts.some((text) => text.includes('[redacted]'))).toBe(true)
      expect([...texts, child.stderr()].join('\n')).not.toContain('correct-horse')
    },
    TIME,
  )

  it.each<[string, () => Promise<RunSpec>, string]>([
    ['nobody listens', async () => specFor(9), 'target_unreachable'],
    [
      'the guard refuses',
      async () => {
        const spec = specFor(9)
        return { ...spec, egress: { ...spec.egress, allowNetworks: [] } }
      },
      'target_refused',
    ],
    [
      'the name has no address',
      async () => {
        const spec = specFor(9)
        return { ...spec, target: { ...spec.target, host: 'nowhere.test' } }
      },
      'target_unresolvable',
    ],
    [
      'the credentials are refused',
      async () => {
        const port = await serve((_request, response) =>
          response.writeHead(403, { 'Content-Type': 'text/html' }).end(page('no')),
        )
        return specFor(port, { credentials: { cookie: SECRET, header: null } })
      },
      'auth_rejected',
    ],
  ])(
    'fails the run when %s',
    async (_name, spec, kind) => {
      const child = startChild(await spec())
      await child.ended
      expect(child.messages.at(-1), child.stderr()).toMatchObject({ type: 'ended', result: 'failed', error: { kind } })
    },
    TIME,
  )

  it(
    'stops on cancel while the server says nothing',
    async () => {
      const port = await serve(() => undefined)
      const child = startChild(specFor(port), (message, process) => {
        if (message.type === 'audit') process.send({ type: 'cancel' })
      })
      await child.ended
      expect(child.messages.at(-1)).toEqual({ type: 'ended', result: 'canceled' })
    },
    TIME,
  )

  it(
    'dies with its worker',
    async () => {
      const port = await serve(() => undefined)
      const child = startChild(specFor(port))
      await once(child.process, 'message')
      const exit = once(child.process, 'exit')
      child.process.disconnect()
      expect(await exit).toEqual([1, null])
    },
    TIME,
  )
})
