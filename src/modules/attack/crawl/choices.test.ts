/** Lists to choose from: what they lead to, and what they leave behind. */
import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

it('a setting that a list changes is set back to what the page had chosen', async () => {
  const kept: string[] = []
  await crawl(
    {
      '/': '<form method=post action=/look><select name=look><option>plain<option selected>wide<option>dense</select><input type=submit name=save></form>',
      '/look': (request, body) => {
        if (request.method === 'POST') kept.push(new URLSearchParams(body).get('look') ?? '')
        return { status: 303, headers: { Location: '/' } }
      },
    },
    {},
    'test',
  )
  expect(new Set(kept)).toEqual(new Set(['plain', 'wide', 'dense']))
  expect(kept.at(-1)).toBe('wide')
})

it('a list of pages to choose from leads to all of them, posted or not', async () => {
  const list = (names: string) =>
    `<select name=go>${names
      .split(' ')
      .map((name) => `<option>${name}`)
      .join('')}</select>`
  const tables: Readonly<Record<string, string>> = {
    b: '<table><tr><td>b</table>',
    c: '<ul><li>c</ul>',
    d: '<dl><dt>d</dl>',
  }
  const { facts, seen } = await crawl(
    {
      '/': `<form method=post action=/switch>${list('- one two three four five six')}</form><form action=/show>${list('a b c d e')}</form>
<form action=/sort>${list('up down name date size')}</form>`,
      '/switch': (request, body) =>
        request.method === 'POST'
          ? {
              status: 303,
              headers: { Location: `/to/${'- one two three four five six'.split(' ').indexOf(body.slice(3))}` },
            }
          : { status: 404 },
      '/show': (request) => tables[request.url?.slice(-1) ?? ''] ?? '<p>a</p>',
      '/sort': '<p>sorted</p>',
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((page) => [`/to/${page}`, `page ${page}`])),
    },
    {},
    'test',
  )
  expect(paths(facts)).toEqual(expect.arrayContaining(['/to/1', '/to/2', '/to/3', '/to/4', '/to/5', '/to/6']))
  expect(paths(facts)).toEqual(expect.arrayContaining(['/show?go=a', '/show?go=b', '/show?go=c', '/show?go=d']))
  const sorted = seen.filter((line) => line.startsWith('GET /sort?') && !line.includes('debug=1'))
  const [byOthers, own] = [
    sorted.filter((line) => line.includes('returnUrl=')),
    sorted.filter((line) => !line.includes('returnUrl=')),
  ]
  expect(own.length).toBeLessThanOrEqual(5)
  expect(byOthers.length).toBeLessThanOrEqual(2)
})
