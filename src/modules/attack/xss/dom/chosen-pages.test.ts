/** Pages that a parameter of their address chooses: what their scripts read beside it is asked while it stays. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'

const prints = (sink: string): string =>
  `<p id=p></p><script>const m = /[?&]for=([^&]*)/.exec(location.search); if (m) p.${sink} = 'Printed for ' + decodeURIComponent(m[1])</script>`

const site =
  (sink: string) =>
  (_sent: URLSearchParams, { url = '' }: { readonly url?: string }) => {
    const { searchParams } = new URL(url, 'http://shop.test')
    const isThere = searchParams.get('page') === 'print' && /^\d+$/.test(searchParams.get('t') ?? '')
    return isThere ? prints(sink) : '<h1>There is no such page</h1>'
  }

it.each([
  ['innerHTML', ['xss/dom http://shop.test/index.php for']],
  ['textContent', []],
])('a script writes to %s what it reads beside them', { timeout: 60_000 }, async (sink, expected) => {
  const { at } = await scanned(site(sink), scriptedOf(['/index.php?page=print&t=4']))
  expect(at).toEqual(expected)
})
