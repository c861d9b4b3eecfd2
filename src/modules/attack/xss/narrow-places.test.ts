/** Places that leave little room: what stands around the value takes most ways to write a script. */
import { expect, it } from 'vitest'
import { FORM, known, scanned } from './testing/scanned.ts'

it.each([
  [
    'a value of XHTML without brackets',
    'application/xhtml+xml',
    (value: string) =>
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Card</title></head><body><p title="${value.replace(/[<>]/g, '')}">Card</p></body></html>`,
    'xss/reflected confirmed',
  ],
  [
    'a comment of a script, with code behind it on its line',
    'text/html',
    (value: string) => `<script>/* stage ${value.replace(/[<>\n\u2028]/g, '')} */ var ready = true</script>`,
    'xss/reflected confirmed',
  ],
  [
    'a page that leads on by itself after a second',
    'text/html',
    (value: string) =>
      `<meta http-equiv="refresh" content="1;url=${value.replace(/["'<>]/g, '')}"><p>It has moved.</p>`,
    'xss/open-redirect confirmed',
  ],
])('finds %s', async (_name, type, page, expected) => {
  const crawl = known([{ ...FORM, value: '/desk' }])
  const { found } = await scanned(
    (sent) => page(sent.get('q') ?? '/desk'),
    {
      ...crawl,
      requests: crawl.requests.map((one) => ({ ...one, effect: 'reads' })),
      points: crawl.points.map((one) => ({ ...one, example: '/desk' })),
    },
    ...([null, 'test', type] as const),
  )
  expect(found).toEqual([expected])
})
