import { describe, expect, test } from 'vitest'
import { retrying } from './retrying.ts'

/** Answers in this order: a status, one with its Retry-After, or no answer; the last stays. */
const answering = (...answers: readonly (number | readonly [number, string] | 'none')[]) => {
  const asked: string[] = []
  const send = (async (url: string) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? 200
    asked.push(url)
    if (answer === 'none') throw new TypeError('fetch failed')
    const [status, after] = typeof answer === 'number' ? [answer, null] : answer
    return new Response(null, { status, headers: after === null ? {} : { 'retry-after': after } })
  }) as typeof fetch
  return { asked, fetch: retrying(send, { pause: 1 }) }
}

describe('retrying', () => {
  test.each([
    ['a read that is refused for its rate', {}, [429, 200], 200, 2],
    ['a change that is refused for its rate', { method: 'POST' }, [[429, '0'], 202], 202, 2],
    ['a read without an answer', {}, ['none', 'none', 200], 200, 3],
    ['a read of a service that is away', {}, [503, 502, 504, 200], 200, 4],
    ['a removal', { method: 'DELETE' }, [503, 204], 204, 2],
    ['a change with a key', { method: 'POST', headers: { 'Idempotency-Key': 'k' } }, ['none', 202], 202, 2],
    ['a change without one', { method: 'POST' }, [503, 202], 503, 1],
    ['a change in part', { method: 'PATCH' }, [503, 200], 503, 1],
    ['a refusal for good', {}, [404, 200], 404, 1],
    ['a fault of the service', {}, [500, 200], 500, 1],
    ['what stays away', {}, [503], 503, 4],
    ['a wait that is too long for a program', {}, [[429, '900'], 200], 429, 1],
  ] as const)('%s', async (_name, init, answers, status, times) => {
    const { asked, fetch } = answering(...answers)
    expect((await fetch('http://service.test/', init)).status).toBe(status)
    expect(asked).toHaveLength(times)
  })

  test('a change without an answer is not sent again, and what is broken off neither', async () => {
    const change = answering('none')
    await expect(change.fetch('http://service.test/', { method: 'POST' })).rejects.toThrow('fetch failed')
    expect(change.asked).toHaveLength(1)
    const off = answering('none')
    await expect(off.fetch('http://service.test/', { signal: AbortSignal.abort() })).rejects.toThrow('fetch failed')
    expect(off.asked).toHaveLength(1)
  })
})
