/** What the server writes where a library evaluates it is found twice, by the request and in the page, and told once. */
import { expect, it } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseProbed, CASE_CRAWL as known } from '../insertion-points/testing/probed-facts.ts'
import { dom } from './dom.ts'
import type { Context, DomHit, ReflectedHit, XssFacts, XssHit } from './facts.ts'

const written = (context: Context, ran: ReflectedHit['ran'] = 'load'): ReflectedHit => ({
  ...{ kind: 'reflected', context, payload: "'-qxproof(1)-'", parsed: true, ran, refused: false, unproven: null },
  ...{ excerpt: '', mark: '', replay: 'curl', address: null, screenshot: null },
})
const hit = (change: Partial<DomHit> = {}): DomHit => ({
  ...{ kind: 'script', page: 'https://shop.test/goods/7', source: 'query', name: 'tab', sink: 'code' },
  ...{ address: 'https://shop.test/goods/7?tab=x', message: null, payload: 'x', ran: 'load', screenshot: null },
  ...{ alsoOn: [], ...change },
})
const facts = (reflected: ReflectedHit, found: DomHit): XssFacts => ({
  ...caseProbed<XssHit>([reflected], {
    at: { url: 'https://shop.test/goods/1?tab=work', method: 'GET', place: 'query', name: 'tab' },
  }),
  ...{ browser: null, stored: { planted: 0, pages: 0, hits: [] }, blind: { planted: 0, hits: [] } },
  dom: { pages: 1, left: 0, hits: [found] },
})
const DATA: Context = { kind: 'handler', tag: 'div', attribute: 'x-data', quote: "'", outer: '"' }

it.each<[string, ReflectedHit, DomHit, number]>([
  ['in an attribute of Alpine', written(DATA), hit(), 0],
  ['in braces of Vue', written({ kind: 'template', tag: 'p', attribute: null, quote: '' }), hit(), 0],
  ['of another parameter', written(DATA), hit({ name: 'view' }), 1],
  ['given to markup', written(DATA), hit({ sink: 'html' }), 1],
  ['where nothing ran by the request', written(DATA, null), hit(), 1],
  ['beside a script in the text', written({ kind: 'text', tag: 'p', attribute: null, quote: '' }), hit(), 1],
])('%s', (_name, reflected, found, told) => {
  const judged = dom.judge(facts(reflected, found), known, caseContext())
  expect(Array.isArray(judged) ? judged.length : judged).toBe(told)
})
