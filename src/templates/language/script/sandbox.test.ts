import { expect, it } from 'vitest'
import { ScriptAnswer, ScriptError } from './errors.ts'
import { type Lent, openSandbox } from './sandbox.ts'

class Refusal extends Error {}

const LENT: Lent = {
  now: (name, [, value]) => {
    if (name === 'helper') return value
    throw new Refusal('not lent')
  },
  ask: async (name) => {
    if (name === 'echo.answer') throw new ScriptAnswer('another service')
    throw new Refusal('not lent')
  },
}

const GIVEN = {
  values: { Port: 25 },
  helpers: ['same'],
  modules: [{ name: 'echo', functions: ['answer', 'break'], client: null, bound: false }],
}
const ECHO = `const echo = require('nuclei/echo'); `

const ran = async (source: string, signal = new AbortController().signal): Promise<unknown> =>
  (await openSandbox(GIVEN, LENT, signal)).run(source)

it.each([
  ['NUL, and characters of two octets', `same('a\\0\u00ff\u20ac')`, 'a\0\u00ff\u20ac'],
  ['octets', 'same(new Uint8Array([0, 65, 255]))', '\0A\u00ff'],
  ['nothing', 'undefined', null],
  ['what is declared in a script is gone in the next', 'typeof echo', 'undefined'],
  [
    'an answer of a service is caught',
    `${ECHO}try { echo.answer() } catch (error) { error.message }`,
    'another service',
  ],
])('%s', async (_what, source, value) => {
  expect(await ran(source)).toEqual(value)
})

it.each([
  ['a pattern without end', `/^(a+)+$/.test('a'.repeat(40) + 'b')`, ScriptError, /too many steps/],
  ['a loop that catches', 'for (;;) try { for (;;); } catch {}', ScriptError, /too many steps/],
  ['memory', `let all = []; for (;;) all.push(new Uint8Array(1_000_000))`, ScriptError, /16 MiB/],
  ['memory by texts', `let all = 'x'; for (;;) all += all + all.length`, ScriptError, /16 MiB/],
  ['calls', 'const deep = () => deep() + 1; deep()', ScriptError, /stack/i],
  ['a name that is not there', 'fetch("http://shop.test/")', ScriptError, /fetch/],
  ['an answer that nobody catches', `${ECHO}echo.answer()`, ScriptAnswer, /another service/],
  ['a refusal, whatever is caught', `${ECHO}try { echo.break() } catch {}; 'went on'`, Refusal, /not lent/],
])('%s ends the script', async (_what, source, kind, reason) => {
  const error: unknown = await ran(source).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(kind)
  expect(String(error)).toMatch(reason)
})

it('a cancelled run ends the script with its reason', async () => {
  const reason = new Error('cancelled')
  await expect(ran('1', AbortSignal.abort(reason))).rejects.toBe(reason)
})
