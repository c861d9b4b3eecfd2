import { expect, test } from 'vitest'
import type { CollectContext } from '../../../module.ts'
import { type OwnSession, withoutOpener } from './own-session.ts'

const own = (cookie: string | null) =>
  ({ opener: null, first: { after: { cookie, header: null } } }) as unknown as OwnSession
const ctx = (landed?: readonly string[]) => ({ session: { landed } }) as unknown as CollectContext

test.each<[string, string | null, readonly string[] | undefined, string]>([
  ['a header alone carries it', null, undefined, 'not_applicable'],
  ['a cookie that leads to no page is set beside the header', 'lb=1', undefined, 'not_applicable'],
  ['pages are signed in to by a cookie, too', 'sid=1', ['http://shop.test/console'], 'not_tested'],
])('%s', (_name, cookie, landed, state) => {
  expect(withoutOpener(ctx(landed), own(cookie)).none?.state).toBe(state)
})
