import { expect, test } from 'vitest'
import { type OwnSession, withoutOpener } from './own-session.ts'

const own = (beside: OwnSession['beside'], together = false) =>
  ({ opener: null, beside, together }) as unknown as OwnSession

test.each<[string, OwnSession | string, string]>([
  ['a header alone carries it', own(null), 'not_applicable'],
  ['nothing is known of it', 'signing in once more did not work', 'not_applicable'],
  ['several cookies carry it together', own(null, true), 'not_tested'],
  ['pages are opened by cookies, too', own({ cookie: 'sid=1', sameSite: 'absent' }), 'not_tested'],
])('%s', (_name, session, state) => {
  expect(withoutOpener(session).none?.state).toBe(state)
})
