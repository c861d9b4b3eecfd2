import { expect, it } from 'vitest'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { scriptedPages } from './pages.ts'

const ORIGIN = 'https://shop.test'
const crawled = (pages: Readonly<Record<string, string>>) => ({
  urls: Object.keys(pages).map((path) => ({
    ...{ url: `${ORIGIN}${path}`, status: 200, contentType: 'text/html', title: '', depth: 1 },
    source: 'link' as const,
  })),
  scripted: Object.entries(pages).map(([path, code]) => ({ url: `${ORIGIN}${path}`, code })),
})
const pathsOf = (pages: Readonly<Record<string, string>>): readonly string[] =>
  scriptedPages(crawled(pages)).map((url) => url.slice(ORIGIN.length))

it('pages whose scripts are new come first, whatever their names are', () =>
  expect(pathsOf({ '/a': 'menu', '/b': 'menu', '/c': 'menu', '/y': 'search', '/z': 'chat' })).toEqual([
    '/a',
    '/y',
    '/z',
    '/b',
    '/c',
  ]))

it('all routes of one bundle are pages, two of a kind of address', () =>
  expect(pathsOf({ '/item/1': 'app', '/item/2': 'app', '/item/3': 'app', '/cart': 'app', '/help': 'app' })).toEqual([
    '/cart',
    '/help',
    '/item/1',
    '/item/2',
  ]))

it('goods that are called by words are of one kind where they are built alike, with the same scripts', () => {
  const WORDS = 'ridge alder moss bracken zephyr willow heron fen tarn beck holm scree'.split(' ')
  const of = (count: number, built: (at: number) => string, folder = '/goods/') => {
    const pages = Object.fromEntries(WORDS.slice(0, count).map((word) => [`${folder}${word}`, 'shop']))
    const { urls, scripted } = crawled(pages)
    return scriptedPages({ urls, scripted: scripted.map((page, at) => ({ ...page, built: built(at) })) }).length
  }
  expect(of(12, () => 'goods')).toBe(2)
  expect(of(12, () => 'goods', '/notes/2024/5/')).toBe(2)
  expect(of(11, () => 'goods')).toBe(11)
  expect(of(12, (at) => `goods ${at}`)).toBe(12)
  // Parts of an application.
  expect(of(12, () => 'goods', '/')).toBe(12)
})

it('no number of pages ends the list', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/p${index}`, `code ${index}`]))
  expect(pathsOf(many)).toHaveLength(300)
})

it('a page that reads what stands behind a # has its turn beside those with values', () => {
  const pages = ['/', '/about', '/a?id=1', '/b?id=1', '/c?id=1', '/d?id=1']
  expect(pathsOf(Object.fromEntries(pages.map((path) => [path, 'site'])))).toEqual([
    '/a?id=1',
    '/',
    '/b?id=1',
    '/about',
    '/c?id=1',
    '/d?id=1',
  ])
})

it('of the views of one application, one with values in its address and one without come in turn', () => {
  const views = ['/', '/#/about', '/#/basket', '/#/search?q=tea', '/page?id=1']
  const { urls, scripted } = crawled(Object.fromEntries(views.map((path) => [path, 'app'])))
  const documents = urls.filter(({ url }) => !url.includes('#'))
  expect(scriptedPages({ urls: documents, scripted }).map((url) => url.slice(ORIGIN.length))).toEqual([
    '/#/search?q=tea',
    '/',
    '/page?id=1',
    '/#/about',
    '/#/basket',
  ])
})

it('pages that take other parameters are others, whatever they are called', () =>
  expect(
    pathsOf({ '/print?t=1': 'print', '/print?t=2': 'print', '/print?t=3': 'print', '/print?t=4&for=me': 'print' }),
  ).toEqual(['/print?t=1', '/print?t=2', '/print?t=4&for=me']))

it('pages that one program makes, as a parameter chooses, are of a kind each', () => {
  const urls = ['news', 'profile', 'topic'].flatMap((page) => [1, 2, 3].map((id) => `/index.php?page=${page}&id=${id}`))
  const requests = [caseRequest({ url: `${ORIGIN}${urls[0]}`, shape: `${ORIGIN}/index.php?id&page=news` })]
  const { urls: known, scripted } = crawled(Object.fromEntries(urls.map((path) => [path, 'board'])))
  const asked = scriptedPages({ urls: known, scripted, requests })
  expect(asked.map((url) => url.split('?')[1])).toEqual(
    ['news', 'profile', 'topic'].flatMap((page) => [`page=${page}&id=1`, `page=${page}&id=2`]),
  )
})
