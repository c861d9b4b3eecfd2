/** What the policy says of requests whose method stands in their body. */
import { expect, it } from 'vitest'
import { METHOD_WITHIN } from '../../../safety/policy.ts'
import type { Draft } from './requests.ts'
import { createRequests } from './requests.ts'

const READS: Draft = {
  ...{ method: 'POST', url: 'https://shop.test/classes/Boat', encoding: 'text' },
  body: '{"where":{},"limit":100,"_method":"GET"}',
  ...{ source: 'browser', seenOn: 'https://shop.test/boats', sent: true },
}
const listed = (environment: 'production' | 'test', draft: Draft) => {
  const requests = createRequests(() => ({ environment, signedIn: true, staff: false, excludes: () => false }))
  requests.add(draft)
  return { request: requests.all()[0], unlearned: requests.unlearned().length }
}

it('one that reads by what its body says reads, and in production no probe touches it', () => {
  expect(listed('production', READS)).toMatchObject({ request: { effect: 'reads', harm: METHOD_WITHIN }, unlearned: 0 })
})

it('on a test system it is asked as what reads is', () => {
  const { request } = listed('test', READS)
  expect(request).toMatchObject({ effect: 'reads', harm: null })
  expect(request?.bound).toBeUndefined()
})

it('one whose body says another method writes', () => {
  const { request } = listed('production', { ...READS, body: '{"name":"a","_method":"PUT"}' })
  expect(request?.harm).not.toBe(METHOD_WITHIN)
  expect(request?.effect).toBe('unknown')
})
