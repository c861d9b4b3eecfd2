/** Forms whose values an application keeps for whoever is signed in. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { KEPT } from './facts.ts'
import type { ProbePoint } from './inventory.ts'
import { isRemembered } from './remembered.ts'
import { SHARED } from './shared.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'
import { judgeProbed } from './verdict.ts'

afterEach(closeProbed)

const LIST = 'http://shop.test/list'
const crawl = crawlOf([pointOf('list', 'query', 'q', '1'), pointOf('list', 'query', 'name', 'x')])
const known = {
  ...crawl,
  requests: crawl.requests.map((one) => ({
    ...{ ...one, url: `${LIST}?q=1&name=x`, source: 'form' as const, seenOn: [LIST] },
  })),
}

/** A list that is filtered, and says by what. */
const list = (keeps: boolean) => {
  let kept = 'q=1&name=x'
  const sent: string[] = []
  return {
    sent,
    kept: () => kept,
    answer: ({ url = '' }: IncomingMessage): string => {
      const [, query] = url.split('?')
      if (query !== undefined) sent.push(query)
      if (query !== undefined && keeps) kept = query
      return html([...new URLSearchParams(query ?? kept).values()].join(' '))
    },
  }
}

it('are sent one word and set back, and are not asked', async () => {
  const site = list(true)
  const { facts } = await probed((request, response) => response.end(site.answer(request)), known, null, 'sid=ada')
  expect(site.kept()).toBe('q=1&name=x')
  expect(site.sent.filter((query) => query !== 'q=1&name=x')).toEqual([expect.stringMatching(/^q=(qk\d+)&name=\1$/)])
  expect(judgeProbed(facts, () => [])).toMatchObject({ state: 'inconclusive', reason: `of 2 places: 2 ${KEPT}` })
})

it.each([
  ['what is not kept', false, 'sid=ada'],
  ['what is kept for nobody in particular', true, null],
])('%s is asked', async (_what, keeps, cookie) => {
  const site = list(keeps)
  const { facts } = await probed((request, response) => response.end(site.answer(request)), known, null, cookie)
  expect(judgeProbed(facts, () => [])).toEqual([])
  expect(site.sent.some((query) => query.includes('%27'))).toBe(true)
})

it('are looked at again where who looked was called off, so that one module ends no other', async () => {
  const { remembered } = SHARED.make()
  const point = { place: 'query', request: { id: 'list', formPage: LIST } } as ProbePoint
  const over = Object.assign(new Error('over'), { code: 'budget' })
  const get = async () => null
  await expect(isRemembered(remembered, 'a', point, { send: () => Promise.reject(over), get })).rejects.toBe(over)
  expect(await isRemembered(remembered, 'a', point, { send: async () => undefined, get })).toBe(false)
})
