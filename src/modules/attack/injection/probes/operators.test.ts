/** A code that opens something, looked up in a document database that knows a few operators. */
import { expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { operatorNamesAsked } from './answers.ts'

it.each([
  ['a document database', {}, true],
  ['one that takes texts alone', { strict: true }, false],
  ['one whose errors show as nobody', { silent: true }, false],
  ['a filter in front that refuses operators', { filter: /\$in|\$eq/ }, false],
  ['what writes', { effect: 'writes' }, false],
] as const)('names of operators are told from others, without a record, by %s', async (_name, change, proven) => {
  const {
    strict = false,
    silent = false,
    filter = null,
    effect = 'unknown',
  } = { ...change } as {
    readonly strict?: boolean
    readonly silent?: boolean
    readonly filter?: RegExp
    readonly effect?: 'unknown' | 'writes'
  }
  const text = '<h1>Lockers</h1><p>Wrong code.</p><form method=post><input name=code></form>'
  const page = (body: string): { status?: number; text: string } => {
    const [[name, operand] = ['', '']] = [...new URLSearchParams(body)]
    if (filter?.test(name)) return { status: 403, text: 'Forbidden' }
    if (strict) return { text }
    try {
      const operator = /\[(\$\w+)\]/.exec(name)?.[1]
      if (operator !== undefined && operator !== '$in' && operator !== '$eq')
        throw new Error(`unknown operator: ${operand}`)
      return { text }
    } catch {
      return silent ? { text } : { status: 500, text: 'Internal error' }
    }
  }
  const point = { place: 'form' as const, name: 'code', request: { method: 'POST', body: 'code=test', effect } }
  const { probe, sent } = fakeProbe((v, changed) => page(String(changed?.body ?? `code=${v}`)), point)
  const hit = await firstOf(operatorNamesAsked(probe))
  expect(hit && isProven(hit)).toBe(proven || null)
  if (!proven) expect(sent.length).toBeLessThanOrEqual(4)
})
