import { expect, it } from 'vitest'
import { WRITES_UNKNOWN } from '../../../safety/policy.ts'
import { plannedOf } from './planned.ts'
import { createRequests } from './requests.ts'

const FORMS = ['/find', '/contact', '/items/3/remove', '/logout']

const planned = (environment: 'production' | 'test') => {
  const requests = createRequests(() => ({ environment, signedIn: false, staff: false, excludes: () => false }))
  const fields = [{ name: 'word', value: 'tent', type: 'text' }]
  for (const path of FORMS)
    requests.add({
      ...{ method: 'POST', url: `https://shop.test${path}`, encoding: 'urlencoded', fields },
      ...{ source: 'form', seenOn: null, sent: false },
    })
  return plannedOf(requests.all(), []).map(({ decision, most }) => [decision, most])
}

it('says of each request what would become of it', () => {
  expect(planned('production')).toEqual([
    ['once', null],
    ['never', null],
    ['never', null],
    ['never', null],
  ])
  expect(planned('test')).toEqual([
    ['once', 40],
    ['once', 40],
    ['bounded', 40],
    ['never', null],
  ])
})

it('one reason for each that is not simply sent', () => {
  const requests = createRequests()
  requests.add({ method: 'POST', url: 'https://shop.test/find', source: 'form', seenOn: null, sent: false })
  expect(plannedOf(requests.all(), [])).toMatchObject([{ decision: 'once', reason: WRITES_UNKNOWN }])
})
