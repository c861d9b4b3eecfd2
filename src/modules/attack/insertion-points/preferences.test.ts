/** A parameter that the links of a whole site hand on is read by one piece of code, and is one flaw. */
import { expect, it } from 'vitest'
import { fingerprintOf } from '../../../engine/identity.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { boolean } from '../sqli/boolean.ts'
import type { BooleanHit } from '../sqli/facts.ts'
import { preferencesOf } from './preferences.ts'

const PAGES = ['', 'about', 'shop', 'shop/tents', 'shop/packs', 'help', 'terms', 'news']
const linked = (queryOf: (page: string, at: number) => string): readonly RequestTemplate[] =>
  PAGES.map((page, at) =>
    caseRequest({ id: `r${at}`, method: 'GET', url: `http://shop.test/${page}${queryOf(page, at)}`, sent: true }),
  )

it.each<readonly [string, readonly RequestTemplate[], readonly string[]]>([
  ['a language on each link', linked(() => '?lang=de'), ['lang']],
  ['two languages, on most of them', linked((_page, at) => (at > 5 ? '' : `?lang=${at % 2 ? 'de' : 'en'}`)), ['lang']],
  ['another record on each page', linked((_page, at) => `?id=${at}`), []],
  ['a word of its own for each page', linked((page) => `?name=${page.replace('/', '-') || 'start'}`), []],
  ['what chooses the program', linked(() => '?action=show'), []],
  ['the order of some lists', linked((page) => (page.startsWith('shop') ? '?sort=name' : '')), []],
  ['a small site', linked(() => '?lang=de').slice(0, 4), []],
])('%s', (_name, requests, names) => {
  expect([...preferencesOf({ requests })]).toEqual(names)
})

const HIT: BooleanHit = {
  ...{ technique: 'boolean', boundary: "text in '", apart: 0.4, noise: 0, malformed: 'false' },
  trials: Array.from({ length: 12 }, (_, at) => ({
    predicate: `${at}=1`,
    truth: at % 2 > 0,
    answer: at % 2 ? 'true' : 'false',
  })),
  ...{ truePayload: 'a', falsePayload: 'b', trueExcerpt: '', falseExcerpt: '', replay: 'curl' },
}

it.each([
  ['lang', 1],
  ['id', PAGES.length],
])('what is proven of %s everywhere is so many findings', (name, findings) => {
  const requests = linked((_page, at) => `?lang=de&id=${at}`)
  const points = requests.map(({ url }) => ({
    at: { url: url.split('?')[0] ?? '', method: 'GET', place: 'query', name },
    ...{ end: 'tested' as const, reason: null, requests: 20, hits: [HIT] },
  }))
  const judged = boolean.judge(
    { points, left: 0, sessionLost: false },
    { crawl: { ...caseCrawl(), requests } },
    caseContext(),
  )
  const found = 'state' in judged ? (judged.findings ?? []) : judged
  const identities = found.map(({ at, cause, definition }) =>
    fingerprintOf({ checkId: definition.id, location: at, subject: null, ...(cause === undefined ? {} : { cause }) }),
  )
  expect(new Set(identities).size).toBe(findings)
})
