import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnyModule } from '../modules/any-module.ts'
import type { FromChild } from './protocol.ts'
import type { Run } from './run.ts'
import { createSoFar } from './so-far.ts'
import { about, definition, fakeModule, finding } from './testing/modules.ts'
import { noEgress, SECRET } from './testing/run.ts'

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
  expect(posted).toMatchObject([{ type: 'found', module: 'm', findings: [{ check_id: 'm/thing' }] }])
  expect(JSON.stringify(posted)).toContain('/b')
  expect(JSON.stringify(posted)).not.toContain(SECRET)
})

test('nothing new is not told again, and nothing at all not once', () => {
  const { posted, offer } = watching()
  for (const places of [[], ['/a'], ['/a']]) {
    offer(() => ({ places }))
    vi.advanceTimersByTime(EVERY)
  }
  expect(posted).toHaveLength(1)
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
