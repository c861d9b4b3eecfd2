import { expect, test } from 'vitest'
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { cors } from './cors.ts'
import { CORS_ORIGINS, type CorsOrigin, type HeadersFacts } from './facts.ts'
import { NO_FACTS } from './testing/cases.ts'

const URL_ = 'https://shop.test/api/me'
const ORIGINS: Record<CorsOrigin, string> = {
  arbitrary: 'https://sonde-probe.example',
  'arbitrary-again': 'https://another-probe.example',
  null: 'null',
  suffix: 'https://shop.test.sonde-probe.example',
  prefix: 'https://sonde-probeshop.test',
  'http-subdomain': 'http://sonde-probe.shop.test',
  preflight: 'https://sonde-probe.example',
}
const CREDENTIALS = ['Access-Control-Allow-Credentials', 'true'] as const
const allow = (origin: string) => ['Access-Control-Allow-Origin', origin] as const
const VARY = ['Vary', 'Accept, Origin'] as const

/** A server that answers each Origin by a rule. */
const server = (
  rule: (origin: string, kind: CorsOrigin) => HeaderPairs,
): { facts: HeadersFacts; known: { site: ReturnType<typeof caseSite> } } => ({
  facts: {
    ...NO_FACTS,
    cors: CORS_ORIGINS.map((kind) => ({
      url: URL_,
      method: kind === 'preflight' ? 'OPTIONS' : 'GET',
      kind,
      origin: ORIGINS[kind],
      status: 200,
      headers: rule(ORIGINS[kind], kind),
      error: null,
      evidence: null,
    })),
  },
  known: { site: caseSite() },
})
const when = (test: boolean, ...headers: HeaderPairs): HeaderPairs => (test ? headers : [])

judgeCases(cors, [
  { name: 'grants nothing', ...server(() => []), expect: [] },
  { name: 'grants one fixed origin', ...server(() => [allow('https://app.shop.test'), CREDENTIALS]), expect: [] },
  {
    name: 'grants every origin with the session',
    ...server((origin) => [allow(origin), CREDENTIALS, VARY]),
    expect: ['headers/cors-any-origin-credentials'],
  },
  {
    name: 'the same in a preflight alone',
    ...server((origin, kind) => when(kind === 'preflight', allow(origin), CREDENTIALS)),
    expect: ['headers/cors-any-origin-credentials'],
  },
  {
    name: 'null with the session',
    ...server((origin) => when(origin === 'null', allow('null'), CREDENTIALS, VARY)),
    expect: ['headers/cors-null-origin-credentials'],
  },
  {
    name: 'compares the beginning',
    ...server((origin) => when(origin.startsWith('https://shop.test'), allow(origin), CREDENTIALS, VARY)),
    expect: ['headers/cors-loose-origin-credentials'],
  },
  {
    name: 'compares the end',
    ...server((origin) =>
      when(origin.startsWith('https') && origin.endsWith('shop.test'), allow(origin), CREDENTIALS, VARY),
    ),
    expect: ['headers/cors-loose-origin-credentials'],
  },
  {
    name: 'trusts names below over http',
    ...server((origin) => when(origin.endsWith('.shop.test'), allow(origin), CREDENTIALS, VARY)),
    expect: ['headers/cors-http-origin-credentials'],
  },
  {
    name: 'credentials in capitals count as none',
    ...server((origin) => [allow(origin), ['Access-Control-Allow-Credentials', 'TRUE'], VARY]),
    expect: ['headers/cors-open'],
  },
  { name: 'star', ...server(() => [allow('*')]), expect: ['headers/cors-open'] },
  {
    name: 'star inside the company',
    ...server(() => [allow('*')]),
    about: { target: { ...caseContext().target, context: 'internal' } },
    expect: ['headers/cors-open-internal'],
  },
  {
    name: 'star with credentials',
    ...server(() => [allow('*'), CREDENTIALS]),
    expect: ['headers/cors-wildcard-credentials'],
  },
  { name: 'a list', ...server(() => [allow('https://a.test, https://b.test')]), expect: ['headers/cors-invalid'] },
  { name: 'a trailing slash', ...server(() => [allow('https://a.test/')]), expect: ['headers/cors-invalid'] },
  {
    name: 'computed without Vary',
    ...server((origin) => when(origin.startsWith('http:'), allow(origin))),
    expect: ['headers/cors-vary-missing'],
  },
  { name: 'nobody asked', facts: NO_FACTS, known: { site: caseSite() }, expect: [], unjudged: 'not_tested' },
])

test('what there was no time to compare is firm where nothing was seen to differ, and confirmed where something was', () => {
  const { facts, known } = server((origin) => [allow(origin), CREDENTIALS, VARY])
  const elsewhere = facts.cors.map((probe) => ({ ...probe, url: 'https://shop.test/api/posts' }))
  const confidences = (more: Partial<HeadersFacts>, probes = facts.cors) => {
    const judged = cors.judge({ ...facts, cors: probes, ...more }, known, caseContext())
    return Array.isArray(judged) ? judged.map(({ confidence }) => confidence) : judged
  }
  expect(confidences({ corsAlike: [], corsUncompared: [URL_] })).toEqual(['firm'])
  expect(confidences({ corsAlike: [], corsUncompared: [] })).toEqual(['confirmed'])
  expect(confidences({ corsAlike: [], corsUncompared: [URL_] }, [...facts.cors, ...elsewhere])).toEqual(['confirmed'])
  expect(
    confidences({ corsAlike: ['https://shop.test/api/posts'], corsUncompared: [URL_] }, [...facts.cors, ...elsewhere]),
  ).toEqual(['firm'])
})
