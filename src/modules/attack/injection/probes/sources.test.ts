import { dirname, join, normalize } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { siteFilesOf } from '../site-files.ts'
import { sourceWays } from './sources.ts'

const ORIGIN = 'http://shop.test'
const TERMS = 'Goods can be sent back within 30 days.'

/** Files of an application, and what its web server makes of those that it runs. */
const site = (ending: 'jsp' | 'php') => {
  const open = ending === 'jsp' ? '<%@ page language="java" import="' : '<?php require_once "'
  const files: Record<string, string> = {
    [`/shop/docs/show.${ending}`]: `${open}show" ?><h1>Show</h1>`,
    [`/shop/docs/index.${ending}`]: `${open}index" ?><h1>Documents</h1>`,
    '/shop/docs/terms.txt': TERMS,
  }
  const run = (path: string): string | undefined => files[path]?.replace(/^<[%?].*?\?>/, '')
  const urls = Object.keys(files).map((path) => ({
    ...{ url: `${ORIGIN}${path}`, status: 200, contentType: 'text/html', title: '', depth: 0, source: 'link' as const },
  }))
  const page = `${ORIGIN}/shop/docs/show.${ending}`
  return { files, run, page, crawl: caseCrawl({ urls, requests: [caseRequest({ url: `${page}?doc=terms.txt` })] }) }
}

type App = ReturnType<typeof site>

const asked = async (
  app: App,
  read: (value: string, app: App) => string | undefined,
  { value = 'terms.txt', name = 'doc', tests = true, effect = 'reads' as const, error = 'Not found' } = {},
) => {
  const answer = (v: string) => ({ text: `<h1>Shop</h1><pre>${read(v, app) ?? error}</pre>` })
  const { probe, sent } = fakeProbe(answer, { name, value, request: { url: app.page, effect } })
  const left: string[] = []
  const watched = { ...probe, leave: (_way: string, reason: string) => void left.push(reason) }
  const served = async (url: string) => {
    const text = app.run(new URL(url).pathname)
    return { status: text === undefined ? 404 : 200, text: text ?? 'Nothing here' }
  }
  const [usual] = await probe.baseline()
  const [way] = sourceWays(watched, usual, { site: siteFilesOf(app.crawl), served, tests })
  return { hit: (await way?.()) ?? null, sent, left }
}

const DOCS = '/shop/docs'
const inside = (path: string): string => (normalize(path).startsWith(`${DOCS}/`) ? normalize(path) : 'none')

describe('sources of the application', () => {
  it.each([
    ['behind a folder that it cannot leave', (v: string, { files }: App) => files[inside(`${DOCS}/${v}`)]],
    ['behind a folder without a slash', (v: string, { files }: App) => files[inside(`${DOCS}${v}`)], '/terms.txt'],
    [
      'where two dots are refused',
      (v: string, { files }: App) => (v.includes('..') ? undefined : files[normalize(`${DOCS}/${v}`)]),
    ],
    [
      'by a path from the root of the application',
      (v: string, { files }: App) => files[`/shop${v}`],
      '/docs/terms.txt',
    ],
    [
      'shown with references for every sign',
      (v: string, { files }: App) =>
        files[inside(`${DOCS}/${v}`)]?.replace(/[^\w ]/g, (char) => `&#${char.charCodeAt(0)};`),
    ],
  ])('%s', async (_name, read, value = 'terms.txt') => {
    const { hit } = await asked(site('jsp'), read, { value })
    expect(hit && isProven(hit)).toBe(true)
    expect(hit?.files.map(({ path }) => path)).toEqual([
      'the source of /shop/docs/index.jsp',
      'the source of /shop/docs/show.jsp',
    ])
  })

  it('are found behind an ending that is put there, by the filter of PHP', async () => {
    const { hit } = await asked(site('php'), (v, { files, run }) => {
      const [, named] = /^php:\/\/filter\/convert\.base64-encode\/resource=(.*)$/.exec(`${v}.php`) ?? []
      if (named === undefined) return run(join(DOCS, `${v}.php`))
      const source = files[join(DOCS, named)]
      return source && Buffer.from(`${source}${' '.repeat(40)}`).toString('base64')
    })
    expect(hit && isProven(hit)).toBe(true)
  })

  it.each([
    ['a page that runs what it names', (v: string, { run }: App) => run(inside(`${DOCS}/${v}`))],
    ['a page that knows its documents by heart', (v: string) => (v === 'terms.txt' ? TERMS : undefined)],
    ['a page that shows code whatever it is asked', () => '<%@ page language="java" import="example" %>'],
  ])('%s shows none', async (_name, read) => {
    expect((await asked(site('jsp'), read)).hit).toBeNull()
  })
})

describe('where a place shows nothing of a file', () => {
  const empty = { value: '', name: 'file' }
  const reads = (v: string, { files }: App) => files[inside(`${DOCS}/${v}`)]

  it('programs are named in a test environment, once it is seen to make no file', async () => {
    expect((await asked(site('jsp'), reads, empty)).hit).not.toBeNull()
  })

  it('programs are not named in production', async () => {
    const { hit, sent, left } = await asked(site('jsp'), reads, { ...empty, tests: false })
    expect([hit, left.length]).toEqual([null, 1])
    expect(sent.filter((value) => value.includes('.jsp'))).toEqual([])
  })

  it('programs are not named to what makes the file that it is given', async () => {
    const makes = (v: string, { files }: App) => {
      const path = normalize(join(DOCS, dirname(v), v.replace(/.*\//, '')))
      files[path] ??= ''
      return files[path]
    }
    const { hit, sent, left } = await asked(site('jsp'), makes, empty)
    expect([hit, left.length]).toEqual([null, 1])
    expect(sent.filter((value) => /(?:index|show)\.jsp/.test(value))).toEqual([])
  })
})

describe('files of a site', () => {
  it('are named by parameters that hold some, and little else', () => {
    const point = (name: string, example: string) => ({
      id: name,
      request: 'r',
      place: 'query' as const,
      name,
      example,
    })
    const points = [point('target', '/docs/terms.txt'), point('next', 'http://shop.test/a.html'), point('sum', '1.50')]
    // Elsewhere this name holds all sorts.
    const q = ['terms.txt', 'tent', 'stove', 'lamp'].map((example) => point('q', example))
    const { namesFiles } = siteFilesOf(caseCrawl({ points: [...points, ...q] }))
    expect(['target', 'Target', 'next', 'sum', 'q'].map(namesFiles)).toEqual([true, true, false, false, false])
  })

  it('are no programs that take the same parameter, and would run themselves', () => {
    const { crawl } = site('php')
    expect(siteFilesOf(crawl).programs('/shop/docs/index.php', 'doc')).toEqual([])
    expect(siteFilesOf(crawl).programs('/shop/docs/index.php', 'q')).toEqual(['/shop/docs/show.php'])
  })
})
