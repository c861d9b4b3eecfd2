import { expect, it } from 'vitest'
import { endpointsOf } from './scripts.ts'
import { mayBeSecret } from './secret-headers.ts'

it.each([
  'X-Api-Key',
  'apikey',
  'X-Key',
  'Ocp-Apim-Subscription-Key',
  'Idempotency-Key',
  'Authorization',
  'X-AuthToken',
  'X-CSRF-TOKEN',
  'X-XSRF-Token',
  'X-Session-Id',
  'x-access-token',
  'X-Client-Secret',
])('%s may be a secret', (name) => expect(mayBeSecret(name)).toBe(true))

it.each(['X-Author', 'X-Keyword', 'X-Article-Key', 'X-Sort-Key', 'X-Monkey', 'X-Desk'])('%s is none', (name) =>
  expect(mayBeSecret(name)).toBe(false),
)

it('what a script looks up by a header is a place of its request', () => {
  const code = "fetch('/find', { method: 'POST', headers: { 'X-Article-Key': typed.value, 'X-Api-Key': 'a1' } })"
  expect(endpointsOf(code)).toMatchObject([{ address: '/find', headers: [['X-Article-Key', '1']] }])
})
