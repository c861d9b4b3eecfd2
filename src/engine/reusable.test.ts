import { expect, test } from 'vitest'
import { REDACTED } from '../egress/redaction/redacted.ts'
import { reusableResults } from './plan.ts'

const plan = [
  { id: 'site', needs: [] },
  { id: 'crawl', needs: ['site'] },
  { id: 'headers', needs: ['site'] },
  { id: 'mail', needs: [] },
  { id: 'xss', needs: ['crawl'], uses: ['headers'] },
]
const outcome = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
const whole = { facts: { token: 'true' }, outcome }
const lost = { facts: { forms: [{ token: `a ${REDACTED}` }] }, outcome }
const signedIn = { cookie: 'sid=1', header: null }

const cases: [
  trick: string,
  completed: Record<string, typeof whole | typeof lost>,
  cookie: string | null,
  ids: string[],
][] = [
  ['nothing was lost', { site: whole, crawl: whole }, 'sid=1', ['site', 'crawl']],
  ['without credentials nothing can be lost', { site: lost, crawl: lost }, null, ['site', 'crawl']],
  ['a module that has to run needs it', { site: whole, crawl: lost, headers: whole }, 'sid=1', ['site', 'headers']],
  ['what that one rests on', { site: lost, crawl: lost, headers: whole }, 'sid=1', ['headers']],
  ['what is only used', { site: whole, crawl: whole, headers: lost }, 'sid=1', ['site', 'crawl']],
  [
    'nobody needs it any more',
    { site: lost, crawl: lost, headers: lost, xss: lost, mail: lost },
    'sid=1',
    ['site', 'crawl', 'headers', 'mail', 'xss'],
  ],
]
test.each(cases)('%s', (_, completed, cookie, ids) => {
  const credentials = { ...signedIn, cookie }
  expect([...reusableResults(plan, { completed, credentials })].toSorted()).toEqual(ids.toSorted())
})
