/** Forms that hold the state of their page. */
import { expect, it } from 'vitest'
import { COOKIE, FORM, known, scanned } from './testing/scanned.ts'

it.each([
  ['whose state one visitor is given and any other may send is open to other sites', false, 'xss/reflected confirmed'],
  ['whose state is bound to its visitor is that visitor’s own request', true, 'xss/reflected-own-request confirmed'],
])('%s', async (_name, bound, expected) => {
  const { found } = await scanned(
    (sent, { headers }) => {
      const isRight = sent.get('__VIEWSTATE') === 'dDwtMTA4NzE7' && (!bound || headers.cookie !== undefined)
      return isRight ? `<p>${sent.get('q')}</p>` : '<p>The state of the page is not valid</p>'
    },
    known([FORM, { name: '__VIEWSTATE', value: 'dDwtMTA4NzE7', type: 'hidden' }]),
    COOKIE,
  )
  expect(found).toEqual([expected])
})
