/** Functions of the server that pages call by a hash: React names them in a header or, without scripts, in the name of a field. */
import { expect, it } from 'vitest'
import { createRequests } from '../crawl/requests.ts'
import { pointsOf } from './points.ts'
import { asPlainForm, procedureOf, procedureText } from './procedure.ts'
import { findingAt } from './verdict.ts'

it('is one, called by a script or by a form without one', () => {
  const id = '40de35f1a2b3c4d5e6f7'
  const of = (headers: readonly (readonly [string, string])[], fields: readonly string[]): string => {
    const named = fields.map((name) => ({ name, value: '', type: 'hidden' }))
    return procedureText(procedureOf({ encoding: 'multipart', body: null, headers, fields: named }))
  }
  expect(of([], [`$ACTION_ID_${id}`, 'body'])).toBe(`server action ${id}`)
  expect(of([['next-action', id]], [`_1_$ACTION_ID_${id}`, '_1_body', '0'])).toBe(`server action ${id}`)
  expect(of([['X-Area', 'shop']], ['$ACTION_REF_1', 'body'])).toBe('')
})

it('is one cause for a function of the server, at whichever page it is called, and another for each field', () => {
  const causeOf = (url: string, name: string) => {
    const at = { url, method: 'POST', place: 'multipart', name, procedure: 'server action 40de35f1a2b3c4d5' }
    return findingAt({ at } as never, {} as never, { confidence: 'confirmed', detail: '' }).cause
  }
  const own = causeOf('https://shop.test/plants/fern', 'body')
  expect(own).toBeDefined()
  expect(causeOf('https://shop.test/plants/sage', '_1_body')).toBe(own)
  expect(causeOf('https://shop.test/plants/sage', 'author')).not.toBe(own)
})

it('one address for several actions, of which a header names one each', () => {
  const requests = createRequests()
  const call = (action: string) =>
    requests.add({
      ...({
        method: 'POST',
        url: 'https://shop.test/orders/7',
        encoding: 'json',
        body: '[7]',
        source: 'browser',
      } as const),
      ...{ seenOn: null, sent: true, headers: [['Next-Action', action]] as const },
    })
  for (const action of ['40de35', '40ab12', '40de35']) call(action)
  expect(requests.all().map(({ headers }) => headers?.[0]?.[1])).toEqual(['40de35', '40ab12'])
})

const ID = '40de35f1a2b3c4d5e6f7'
const field = (name: string, value: string, type = 'text') => ({ name, value, type })
const posted = (url: string, fields: readonly ReturnType<typeof field>[]) => ({
  ...({ method: 'POST', url, encoding: 'multipart', source: 'form', seenOn: url, sent: false } as const),
  fields,
})
const ON_TEST = () => ({ environment: 'test', signedIn: false, staff: false, excludes: () => false }) as const

it('one request for a function of the server, at however many pages it is called, with or without their scripts', () => {
  const requests = createRequests(ON_TEST)
  for (const plant of ['fern', 'sage', 'yarrow'])
    requests.add(
      posted(`https://shop.test/plants/${plant}`, [field(`$ACTION_ID_${ID}`, '', 'hidden'), field('body', 'test')]),
    )
  const sent = [field(`_1_$ACTION_ID_${ID}`, ''), field('_1_body', 'A review'), field('0', '["$K1"]')]
  const headers = [
    ['next-action', ID],
    ['next-router-state-tree', '%5B%5D'],
    ['x-shop', '1'],
  ] as const
  requests.add({ ...posted('https://shop.test/plants/aster', []), ...asPlainForm({ fields: sent, headers }) })
  const unnamed = sent.filter(({ name }) => !name.includes('ACTION'))
  requests.add({ ...posted('https://shop.test/plants/aster?new=1', []), ...asPlainForm({ fields: unnamed, headers }) })
  requests.add(posted('https://shop.test/plants/fern', [field('$ACTION_ID_40ffffffffffffffff', '', 'hidden')]))
  expect(requests.all().map(({ url, fields }) => [url, fields.map(({ name }) => name)])).toEqual([
    ['https://shop.test/plants/fern', [`$ACTION_ID_${ID}`, 'body']],
    ['https://shop.test/plants/fern', ['$ACTION_ID_40ffffffffffffffff']],
  ])
})

it('what is handed more than the form stays as its page sends it', () => {
  const headers = [['Next-Action', ID]] as const
  for (const root of ['["$undefined","$K1"]', '["$K1",4]']) {
    const sent = { fields: [field('_1_body', 'A review'), field('0', root)], headers }
    expect(asPlainForm(sent)).toBe(sent)
  }
})

it('fields that say what is called are no places, and what a page has bound to it is one', () => {
  const requests = createRequests(ON_TEST)
  const call = [
    field('$ACTION_REF_1', '', 'hidden'),
    field('$ACTION_1:0', `{"id":"${ID}","bound":"$@1"}`, 'hidden'),
    field('$ACTION_1:1', '[{"plant":4},"$undefined"]', 'hidden'),
    field('$ACTION_KEY', 'k1f2', 'hidden'),
    field('0', '["$K1"]'),
    field('body', 'test'),
  ]
  requests.add(posted('https://shop.test/plants/fern', call))
  const [request] = requests.all()
  expect(request && procedureText(procedureOf(request))).toBe(`server action ${ID}`)
  const points = pointsOf(requests.all(), new Map()).filter(({ place }) => place === 'multipart')
  expect(points.map(({ name, within, example }) => [name, within?.steps ?? [], example])).toEqual([
    ['$ACTION_1:1', ['/0/plant'], '4'],
    ['body', [], 'test'],
  ])
})
