/** Of what a component sends, only what a visitor has put in is asked. */
import { expect, it } from 'vitest'
import { deepShape } from '../crawl/body-shape.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { pointsOf } from './points.ts'

const asked = (body: object): readonly string[] =>
  pointsOf(
    [
      caseRequest({
        ...{ method: 'POST', url: 'https://shop.test/message', encoding: 'json', body: JSON.stringify(body) },
        ...{ sent: true, effect: 'reads' },
      }),
    ],
    new Map(),
  )
    .filter(({ place }) => place === 'json' || place === 'json-name')
    .map(({ name, example }) => `${name} ${example}`)

it.each([
  [
    'Livewire 2',
    {
      fingerprint: { id: 'a1b2', name: 'finder', locale: 'en' },
      serverMemo: { data: { search: '' }, checksum: 'ee07' },
      updates: [
        { type: 'syncInput', payload: { id: 'x1', name: 'search', value: 'tent' } },
        { type: 'callMethod', payload: { id: 'x2', method: 'show', params: [7] } },
      ],
    },
    ['/updates/0/payload/value tent', '/updates/1/payload/params/0 7'],
  ],
  [
    'Livewire 3',
    {
      _token: 'abc',
      components: [
        {
          ...{ snapshot: '{"data":{"search":""},"checksum":"ee07"}', updates: { search: 'tent' } },
          calls: [{ path: '', method: 'show', params: [7] }],
        },
      ],
    },
    ['/components/0/updates/search tent', '/components/0/calls/0/params/0 7'],
  ],
  [
    'an interface of its own',
    { fingerprint: 'a1', updates: [{ value: 'tent' }] },
    ['/fingerprint a1', '/updates/0/value tent'],
  ],
])('%s', (_name, body, places) => {
  expect(asked(body).filter((one) => !one.includes('json-name'))).toEqual(expect.arrayContaining([...places]))
  expect(asked(body).some((one) => /checksum|snapshot|locale|callMethod/.test(one))).toBe(false)
})

it('messages that set another property, or call another method, are no variants of one another', () => {
  const message = (payload: object) =>
    deepShape('json', JSON.stringify({ fingerprint: { id: 'a' }, serverMemo: { data: {} }, updates: [{ payload }] }))
  const called = (method: string) =>
    deepShape(
      'json',
      JSON.stringify({ components: [{ snapshot: '{}', updates: {}, calls: [{ method, params: [] }] }] }),
    )
  expect(message({ name: 'search', value: 'a' })).toBe(message({ name: 'search', value: 'b' }))
  expect(message({ name: 'search', value: 'a' })).not.toBe(message({ name: 'level', value: 'a' }))
  expect(called('show')).not.toBe(called('cancel'))
})
