/** Our own scanner looks at our own application, behind a TLS front as an operator would put it: the top grade. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createPlain, request as forward, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JudgedFinding } from '../../src/engine/judge.ts'
import { type JudgedRun, judgeStored } from '../../src/engine/judge-stored.ts'
import type { FromChild, RunSpec } from '../../src/engine/protocol.ts'
import { caseAddress } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { makeIdentities } from '../../testbed/certificates.ts'
import type { TestApi } from '../support/api.ts'
import { SCAN_CHILD } from '../support/scan-child.ts'
import { openServedApi } from '../support/web-app.ts'

const HOST = 'sonde.test'
const SECONDS = 90

let api: TestApi & { url: string }
let folder = ''
let judged: JudgedRun
const servers: Server[] = []

const listen = async (server: Server, port: number): Promise<void> => {
  server.listen(port, caseAddress(94))
  await once(server, 'listening')
  servers.push(server)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-own-'))
  api = await openServedApi({ baseUrl: () => `https://${HOST}`, trustProxy: ['127.0.0.0/8'] })
  const { fixed, authority } = await makeIdentities({ flawed: 'none.test', fixed: HOST, now: Date.now() })
  await writeFile(join(folder, 'authority.pem'), authority)
  const { port } = new URL(api.app.listeningOrigin)
  const front: RequestListener = (asked, reply) => {
    const to = { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers: asked.headers }
    const onward = forward(to, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    asked.pipe(onward)
  }
  await listen(createSecure({ ...fixed, minVersion: 'TLSv1.2' }, front), 443)
  await listen(
    createPlain((asked, reply) => reply.writeHead(308, { Location: `https://${HOST}${asked.url}` }).end()),
    80,
  )
  judged = await scan()
}, SECONDS * 1000)

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await api?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A passive run, in a process of its own as the worker starts it. */
const scan = async (): Promise<JudgedRun> => {
  const context = caseContext()
  const spec: RunSpec = {
    runId: '00000000-0000-4000-8000-00000000000c',
    target: { ...context.target, host: HOST, tier: 'passive', context: 'saas' },
    options: { ...context.options, active: false, privacy: false },
    egress: {
      hosts: { [HOST]: [caseAddress(94)] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [],
      requestsPerSecond: 200,
      concurrency: 10,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    credentials: { cookie: null, header: null },
    now: Date.now(),
    deadline: SECONDS,
    activeRefused: null,
    completed: {},
  }
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') }
  const child = fork(SCAN_CHILD, [], { serialization: 'advanced', silent: true, execArgv: [], env })
  const overdue = setTimeout(() => child.kill('SIGKILL'), SECONDS * 1000)
  const messages: FromChild[] = []
  child.on('message', (message) => messages.push(message as FromChild))
  child.send({ type: 'start', spec })
  await once(child, 'close')
  clearTimeout(overdue)
  const modules = messages.filter((message) => message.type === 'module')
  return judgeStored(modules, spec)
}

const name = ({ severity, check_id, detail, location }: JudgedFinding): string =>
  `${severity} ${check_id} at ${location.url ?? location.host}: ${detail}`

test('it finds nothing that anybody would have to fix', () => {
  expect(judged.findings.filter(({ severity }) => severity !== 'info').map(name)).toEqual([])
})

test('the grade is the best there is, and so is that of the headers alone', () => {
  expect(judged.grade).toMatchObject({ grade: 'A+', caps: [] })
  expect(judged.grade.parts.find(({ id }) => id === 'headers')?.grade).toBe('A+')
})

test('it has really looked: at the headers, the cookies, the markup and the certificate', () => {
  for (const module of ['headers', 'cookies', 'markup', 'tls', 'site']) {
    const looked = judged.coverage.filter((line) => line.module === module && line.state === 'pass')
    expect([module, looked.length > 0]).toEqual([module, true])
  }
})
