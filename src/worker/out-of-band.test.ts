/** A call from a target reaches the child of the run that gave the address, through the worker's listener. */
import { afterEach, expect, it } from 'vitest'
import { type OobListener, openOobListener } from '../egress/oob/listener.ts'
import { caseContext } from '../modules/testing/judge-cases.ts'
import { createStop } from './heartbeat.ts'
import { startChild } from './scan-processes.ts'
import { type ChildMessage, superviseChild } from './supervise.ts'

const ADDRESS = '127.0.175.5'
let listener: OobListener | null = null
afterEach(async () => {
  await listener?.close()
  listener = null
})

const heardBy = async (calls: OobListener['watch'] | null): Promise<string> => {
  const { target, options, now } = caseContext()
  const messages: ChildMessage[] = []
  const spec = {
    runId: '00000000-0000-4000-8000-00000000000a',
    target,
    options,
    egress: {
      hosts: {},
      allowNetworks: [],
      resolvers: [],
      requestsPerSecond: 1,
      concurrency: 1,
      contact: '',
      trafficKey: '',
    },
    credentials: { cookie: null, header: null },
    now,
    deadline: 30,
    activeRefused: null,
    completed: {},
  }
  const script = new URL('testing/calling-scan.ts', import.meta.url)
  const child = startChild({ script, memoryMb: 256, env: {} })
  const started = { child, failure: () => null }
  const end = await superviseChild(spec, started, {
    grace: 1_000,
    silence: 60_000,
    overrun: 1_000,
    stop: createStop(),
    ...(calls ? { calls } : {}),
    onMessage: (message) => messages.push(message),
    onLine: () => undefined,
  })
  expect(end).toEqual({ type: 'ended', result: 'completed' })
  return messages.flatMap((message) => (message.type === 'progress' ? [message.detail] : [])).join()
}

it('a call reaches the child', async () => {
  listener = await openOobListener({ address: ADDRESS, bind: ADDRESS, domain: null, httpPort: 0, dnsPort: 0 })
  expect(await heardBy(listener.watch)).toBe('GET /hello')
})

it('without a listener the child has no addresses', async () => expect(await heardBy(null)).toBe('no listener'))
