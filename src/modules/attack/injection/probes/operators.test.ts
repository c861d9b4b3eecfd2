/** Objects in place of texts, at what reads operators and at what does not. */
import { describe, expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { operatorNamesAsked, questionWays } from './answers.ts'
import { operatorWays } from './operators.ts'

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

describe('operators are no questions to a page that only repeats or unpacks what it is asked', () => {
  const nameOf = (address: string): string => [...new URL(address).searchParams][0]?.[0] ?? ''
  it.each([
    [
      'where it leads on, its own address encoded once more',
      (address: string) => ({
        ...{ status: 302, text: '' },
        location: `/sign-in?back=${encodeURIComponent(new URL(address).href)}&again=1`,
      }),
    ],
    [
      'the name of a property that it refuses',
      (address: string) => {
        const property = /\[(\$\w+)\]/.exec(nameOf(address))?.[1]
        if (property === undefined) return { text: '[]' }
        return { status: 400, text: `{"message":"${property} is not a valid property of Object."}` }
      },
    ],
    [
      'its own address in a form',
      (address: string) => ({ text: `<form action="${new URL(address).pathname}?${new URL(address).search}">None` }),
    ],
    [
      'its own address in a link, encoded twice',
      (address: string) => {
        const own = encodeURIComponent(new URL(address).search.slice(1))
        const rest = Array.from({ length: 40 }, (_, at) => `<p>Line ${at} of a page.`).join('')
        const text = `${rest}<a href="/sign-in?back=${own}">Sign in</a>`
        return { status: 404, text }
      },
    ],
    [
      'the object as its language writes it, in a script',
      (address: string) => {
        const [[name, value] = ['', '']] = [...new URL(address).searchParams]
        const operator = /\[(\$\w+)\]/.exec(name)?.[1]
        const list = name.endsWith('[]') ? `["${value}"]` : `"${value}"`
        const text = operator === undefined ? value : `{"${operator}"=>${list}}`
        return {
          text: `<h1>Posts</h1>${'<p>One of many posts about tags.</p>'.repeat(40)}<a href="?tags=march">march</a> <a href="?tags=4">4</a><script>var tag = "${text}"</script>`,
        }
      },
    ],
    [
      'a list within a list as a word',
      (address: string) => {
        const name = nameOf(address)
        const value = [...new URL(address).searchParams.values()][0] ?? ''
        const tags = name.endsWith('[]') ? 'Array' : name.includes('[') ? `<b>tag</b> ${value} <i>of one</i>` : ''
        return { text: `<h1>Posts</h1><p>Tags: ${tags}</p>` }
      },
    ],
  ])('%s', async (_what, page) => {
    for (const value of ['', '4', 'march']) {
      const { probe } = fakeProbe(
        (v, changed) => page(changed ? changed.url : `http://shop.test/posts?tags=${encodeURIComponent(v)}`),
        { name: 'tags', value, request: { url: `http://shop.test/posts?tags=${value}` } },
      )
      expect(await firstOf(await questionWays(probe))).toBeNull()
    }
  })
})

it('each operator of a set takes its turn, and what is none is asked with their operands', async () => {
  const asked: string[] = []
  const { probe } = fakeProbe(
    (_v, changed) => {
      asked.push([...new URL(changed?.url ?? 'http://shop.test/').searchParams].flat().join(' '))
      return { text: 'None' }
    },
    { name: 'tags', value: '4', request: { url: 'http://shop.test/posts?tags=4' } },
  )
  const [, byPatterns] = operatorWays(probe, 'widens', () => 'qxx')
  for (const turn of [0, 1, 2]) for (const truth of [true, false]) await byPatterns?.ask(truth, turn)
  await byPatterns?.unknown?.()
  expect(asked.filter(Boolean)).toEqual([
    ...[
      'tags[$nin][] qxx',
      'tags[$eq] qxx',
      'tags[$regex] ^(?!q)',
      'tags[$regex] ^qxx$',
      'tags[$nin][] qxx',
      'tags[$eq] qxx',
    ],
    ...['tags[$qzi][] qxx', 'tags[$qze] ^(?!q)', 'tags[$qze] qxx', 'tags[$qze] ^qxx$'],
  ])
})
