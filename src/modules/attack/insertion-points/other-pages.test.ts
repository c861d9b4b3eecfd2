import { expect, test } from 'vitest'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { askedPlainly, pagesToRead, recordsLast } from './other-pages.ts'

const page = (path: string, status = 200) => ({
  ...{
    url: `https://club.test/${path}`,
    status,
    contentType: 'text/html',
    title: '',
    depth: 1,
    source: 'link' as const,
  },
})

test('pages of a program that answers for all are read anew as those with a path are', () => {
  const requests = [
    caseRequest({
      url: 'https://club.test/index.php?page=profile&u=2',
      shape: 'https://club.test/index.php?page=profile&u',
    }),
  ]
  const records = Array.from({ length: 9 }, (_, at) => page(`index.php?page=profile&u=${at + 1}`))
  const urls = [
    page(''),
    page('about'),
    page('gone', 404),
    page('list?sort=name'),
    page('index.php?page=members'),
    page('index.php?page=search&q=mast'),
    ...records,
  ]
  expect(askedPlainly(caseCrawl({ urls, requests })).map((url) => url.slice('https://club.test/'.length))).toEqual([
    '',
    'about',
    'index.php?page=members',
    ...[1, 2, 3, 4, 5, 6].map((n) => `index.php?page=profile&u=${n}`),
  ])
})

test('the hundredth article comes behind the only list', () => {
  const articles = Array.from({ length: 9 }, (_, at) => `/news/${'abcdefghi'[at]}`)
  const isArticle = (url: string) => (url.startsWith('/news/') ? 'news/*' : undefined)
  expect(recordsLast([...articles, '/messages', '/orders'], isArticle)).toEqual([
    ...articles.slice(0, 6),
    '/messages',
    '/orders',
    ...articles.slice(6),
  ])
})

test.each([
  ['more pages than are read: of many articles some', 200, 7],
  ['no more than are read: all', 100, 101],
])('of %s', (_name, articles, expected) => {
  const pages = [...Array.from({ length: articles }, (_, at) => `/news/${at}`), '/messages']
  const read = pagesToRead(pages, (url) => (url.startsWith('/news/') ? 'news/*' : undefined))
  expect([read.length, read.includes('/messages')]).toEqual([expected, true])
})
