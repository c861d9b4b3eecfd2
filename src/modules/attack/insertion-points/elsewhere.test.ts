/** Which places are taken to store. */
import { expect, it } from 'vitest'
import { pagesAfter, storingOf } from './elsewhere.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { crawlOf } from './testing/probing.ts'

const point = (name: string, method: string, effect: ProbeRequest['effect']): ProbePoint => ({
  request: { id: name, method, url: 'https://shop.test/', headers: [], body: null, effect, seenOn: [] },
  ...{ place: 'form', name, value: 'x' },
})

it('one form that may write is not lost behind many that were seen to read', () => {
  const searches = Array.from({ length: 40 }, (_, index) => point(`search ${index}`, 'POST', 'reads'))
  const points = [point('list', 'GET', 'reads'), ...searches, point('keep', 'POST', 'unknown')]
  const names = storingOf(points).asked.map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['keep', 'search 0'])
  expect(names).not.toContain('list')
})

it('tells what is too many to be asked, where it may write', () => {
  const forms = Array.from({ length: 45 }, (_, index) => point(`form ${index}`, 'POST', 'unknown'))
  const { asked, beyond } = storingOf([...forms, point('find', 'POST', 'reads')])
  expect(asked).toHaveLength(40)
  expect(beyond.map(({ name }) => name)).toEqual(['form 40', 'form 41', 'form 42', 'form 43', 'form 44'])
})

it('what an interface stores is looked for under its own address, where no page has a form for it', () => {
  const at = (path: string): string => `https://shop.test/api${path}`
  const urls = ['/me', '/me/likes', '/me/notes', '/meetings', '/me/gone', '/desc.json'].map((path) => ({
    url: at(path),
    ...{ status: path === '/me/gone' ? 404 : 200, type: 'application/json', title: '', source: 'script' as const },
  }))
  const stored = point('nick', 'PATCH', 'writes')
  const request = { ...stored.request, url: at('/me?x=1'), seenOn: [at('/desc.json')] }
  const reply = { status: 200, text: '{"nick":"x"}', location: '' } as Parameters<typeof pagesAfter>[2]
  const crawl = crawlOf([], { urls: urls as unknown as ReturnType<typeof crawlOf>['urls'] })
  expect(pagesAfter(crawl, { ...stored, request }, reply)).toEqual(
    ['/me/likes', '/me/notes', '/desc.json', '/me'].map(at),
  )
})
