import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnyModule } from '../modules/any-module.ts'
import type { FromChild } from './protocol.ts'
import type { Run } from './run.ts'
import { createSoFar } from './so-far.ts'
import { about, definition, fakeModule, finding } from './testing/modules.ts'
import { noEgress, SECRET, run as wholeRun } from './testing/run.ts'

const EVERY = 1_000
const thing = definition('m/thing')
/** A finding for each place in the facts. */
const module = fakeModule('m', {
  checks: [
    {
      findings: [thing],
      judge: (facts) =>
        (facts as { readonly places: readonly string[] }).places.map((path) =>
          finding(thing, { at: { url: `https://shop.test${path}` }, detail: `seen ${SECRET}` }),
        ),
    },
  ] satisfies AnyModule['checks'],
})

const watching = (signal = new AbortController().signal) => {
  const posted: FromChild[] = []
  const egress = noEgress(
    () => undefined,
    signal,
    () => undefined as never,
  )
  const run = {
    spec: about(),
    egress,
    signal,
    post: (message: FromChild) => void posted.push(message),
  } as unknown as Run
  return { posted, ...createSoFar(run, module, {}, EVERY) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what was found is told once a while, as it is by then, and without secrets', () => {
  const { posted, offer } = watching()
  offer(() => ({ places: ['/a'] }))
  offer(() => ({ places: ['/a', '/b'] }))
  expect(posted).toEqual([])
  vi.advanceTimersByTime(EVERY)
  expect(posted).toMatchObject([
    { type: 'found', module: 'm', findings: [{ check_id: 'm/thing' }] },
    // Should this process end, they are judged by these.
    { type: 'offered', module: 'm', facts: { places: ['/a', '/b'] } },
  ])
  expect(JSON.stringify(posted)).toContain('/b')
  expect(JSON.stringify(posted)).not.toContain(SECRET)
})

test('nothing new is not told again, and nothing at all not once', () => {
  const { posted, offer } = watching()
  for (const places of [[], ['/a'], ['/a']]) {
    offer(() => ({ places }))
    vi.advanceTimersByTime(EVERY)
  }
  expect(posted.map(({ type }) => type)).toEqual(['found', 'offered'])
})

test('the end of the module, and that of the run, end it', () => {
  const { posted, offer, close } = watching()
  offer(() => ({ places: ['/a'] }))
  close()
  vi.advanceTimersByTime(EVERY)
  const stopped = watching(AbortSignal.abort())
  stopped.offer(() => ({ places: ['/a'] }))
  vi.advanceTimersByTime(EVERY)
  expect([...posted, ...stopped.posted]).toEqual([])
})

test('what was offered last can be had until its end, as it is by then', () => {
  const { offer, last, close } = watching()
  expect(last()).toBeNull()
  const places = ['/a']
  offer(() => ({ places }))
  places.push('/b')
  expect(last()).toEqual({ places: ['/a', '/b'] })
  close()
  expect(last()).toBeNull()
})

test('a fault in it is told, and the module goes on', () => {
  const { posted, offer } = watching()
  offer(() => {
    throw new Error('broken')
  })
  vi.advanceTimersByTime(EVERY)
  expect(posted).toMatchObject([{ type: 'fault', module: 'm', where: 'what it has found so far' }])
})

test('what a module had offered to a process that ended is judged where it is left out', async () => {
  const spec = { leftOut: { m: 'F-1' }, offered: { m: { places: ['/a'] } } }
  const { modules } = await wholeRun([module], spec)
  expect(modules.m).toMatchObject({
    outcome: { state: 'failed', fault: 'F-1' },
    facts: { places: ['/a'] },
    findings: [{ check_id: 'm/thing' }],
    coverage: [{ state: 'fail' }],
  })
  const none = await wholeRun([module], { leftOut: spec.leftOut })
  expect(none.modules.m).toMatchObject({ facts: null, findings: [] })
})
