/** A number of an address that is no thing's: a place in a list, which the program itself puts within its bounds. */
import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { crossCase } from './collect.ts'
import { judgeCase } from './judging.ts'
import { operationOf, requestWith } from './operations.ts'
import type { Party } from './parties.ts'

type Shown = { readonly body: string } | { readonly to: string } | null

/** What Noah is accused of, of an address that answers of Mia alone have named: `/posts?part=3`. */
const judged = async (url: string, value: string, answer: (name: string, part: string) => Shown) => {
  const operation = operationOf(caseRequest({ url }), 'test')
  const [slot] = operation.slots
  if (slot === undefined) throw new Error('no place for an object')
  const partyOf = (name: string, known: readonly string[]): Party => {
    const ask = async ({ url: asked }: HttpRequest) => {
      const { pathname, searchParams } = new URL(asked)
      const shown = answer(name, searchParams.get('part') ?? pathname.split('/')[2] ?? '')
      const path = asked.replace(/^https?:\/\/[^/]+/, '')
      if (shown !== null && 'to' in shown)
        return readAnswer(caseAnswer({ path, status: 302, body: '', headers: [['Location', shown.to]] }))
      return readAnswer(caseAnswer({ path, type: 'text/html', status: shown ? 200 : 404, body: shown?.body ?? '' }))
    }
    const knows = { objects: () => known, knows: () => false, knowsId: () => false, named: () => [] }
    return {
      ...{ name, role: 'author', rank: 1, isNobody: name === '', left: null, own: new Map(), ask },
      ...knows,
    } as unknown as Party
  }
  const [mia, noah, nobody] = [partyOf('mia', [value]), partyOf('noah', []), partyOf('', [])]
  const request = requestWith(operation, new Map([[slot, value]]))
  mia.own.set(operation, { request, values: new Map([[slot, value]]), first: await mia.ask(request) })
  const world = { identities: [mia, noah], nobody, operations: [operation] }
  const one = await crossCase(operation, mia, world)
  const ctx = { evidence: () => ({ id: 'e', filename: 'e.txt' }) } as unknown as CollectContext
  return judgeCase(ctx, one, world, [one])
}

const EMPTY =
  '<title>Posts</title><p>Search results for the day: 2026, 4 posts</p><p>Nothing was found for 12 days.</p>'
const LETTER = '<title>Letters</title><p>Dear Mia, your flat is at Quay 4 in Kiel</p><p>The rent is 740 euros</p>'

test.each(['http://shop.test/posts?part=3', 'http://shop.test/posts/3'])(
  'the program leads from a number that is too large to one that is not, to whoever asks: %s',
  async (url) => {
    const flaws = await judged(url, '3', (name, part) =>
      name === '' ? null : part === '3' ? { body: EMPTY } : { to: url },
    )
    expect(flaws).toEqual([])
  },
)

test('one that leads to a thing of who asks is of things', async () => {
  const flaws = await judged('http://shop.test/letters?part=3', '3', (name, part) => {
    if (name === '') return null
    if (part === '3') return { body: LETTER }
    return part === '8' ? { body: '<title>Letters</title><p>Dear Noah, 12 words</p>' } : { to: '/letters?part=8' }
  })
  expect(flaws).toMatchObject([{ kind: 'object', by: 'noah', confidence: 'confirmed' }])
})

const packed = (text: string): string => Buffer.from(text).toString('base64')

test('a number in base64 names a thing, and one of nobody is packed alike', async () => {
  const asked: string[] = []
  const flaws = await judged(
    `http://shop.test/letters?part=${packed('letter-3')}`,
    packed('letter-3'),
    (name, part) => {
      if (name === '') return null
      asked.push(Buffer.from(part, 'base64').toString())
      // As lenient as PHP: what is no base64 behind a value is left out.
      return /^letter-3(?!\d)/.test(asked.at(-1) ?? '') ? { body: LETTER } : { body: '<p>No such letter.</p>' }
    },
  )
  expect(flaws).toMatchObject([{ kind: 'object', by: 'noah', confidence: 'confirmed' }])
  expect(asked.filter((one) => one !== 'letter-3')).toEqual(Array(2).fill(expect.stringMatching(/^letter-3\d{6}$/)))
})

test('labels and sentences of a program are a hint at most', async () => {
  const flaws = await judged('http://shop.test/posts?part=3', '3', (name, part) =>
    name === '' || part !== '3' ? null : { body: '<p>Search results for:</p><p>Nothing was found here.</p>' },
  )
  expect(flaws).toMatchObject([{ kind: 'object', confidence: 'tentative' }])
})

test.each(['paged', 'page', 'pageNo', 'page_number', 'per_page', 'rows', 'cursor'])('%s names no object', (name) => {
  expect(operationOf(caseRequest({ url: `http://shop.test/posts?${name}=3` }), 'test').slots).toEqual([])
})
