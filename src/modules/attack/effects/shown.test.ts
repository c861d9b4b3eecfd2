/** What a form was sent and another page shows, was stored: by which form, and by no other. */
import { expect, it } from 'vitest'
import { WROTE } from '../../../safety/policy.ts'
import { createRequests, type Draft } from '../crawl/requests.ts'
import { codeOf, shownOn } from './shown.ts'

const MARKER = 'sonde0a1b2c3d'
const PAGES = ['https://shop.test/', 'https://shop.test/inbox', `https://shop.test/find?q=${MARKER}00`]

const form = (path: string, method = 'POST'): Draft => ({
  ...{ method, url: `https://shop.test${path}`, encoding: 'urlencoded', source: 'form', seenOn: null, sent: false },
  fields: [{ name: 'word', value: 'test', type: 'text' }],
})

const looked = (texts: Readonly<Record<string, string>>, isOver = () => false) =>
  shownOn(PAGES, MARKER, async (url) => ({ status: 200, text: texts[new URL(url).pathname] ?? '' }), isOver)

it('is known by its code, not by an address that repeats it', async () => {
  const text = `<li>${MARKER}01<li>${MARKER.toUpperCase()}02, ${MARKER}0199`
  const shown = await looked({ '/inbox': text, '/find': `${MARKER}00`, '/': 'Welcome' })
  expect(shown).toEqual(
    new Map([
      ['01', ['https://shop.test/inbox']],
      ['02', ['https://shop.test/inbox']],
    ]),
  )
  expect(await looked({ '/inbox': text }, () => true)).toEqual(new Map())
})

it('has a code of two characters, or none', () => {
  expect([0, 35, 36, 1295, 1296].map(codeOf)).toEqual(['00', '0z', '10', 'zz', ''])
})

it('what one form stores is laid to it alone', async () => {
  const around = { environment: 'test', signedIn: false, staff: false, excludes: () => false } as const
  const requests = createRequests(() => around, undefined, undefined, MARKER)
  const [search, message] = [requests.add(form('/search')), requests.add(form('/message'))]
  const values = [search, message, requests.add(form('/message'))].map((one) => one?.fields[0]?.value ?? '')
  expect(values).toEqual([`${MARKER}00`, `${MARKER}01`, `${MARKER}01`])
  for (const one of requests.unlearned()) requests.learned(one.id, 'reads', 2)
  requests.shown(await looked({ '/inbox': values[1] ?? '' }))
  const found = requests.all().map(({ url, effect, bound, boundBy, shownOn: pages }) => ({
    ...{ path: new URL(url).pathname, effect, bound, boundBy, pages },
  }))
  expect(found).toEqual([
    { path: '/search', effect: 'reads', bound: undefined, boundBy: undefined, pages: undefined },
    { path: '/message', effect: 'writes', bound: 40, boundBy: WROTE, pages: ['https://shop.test/inbox'] },
  ])
})
