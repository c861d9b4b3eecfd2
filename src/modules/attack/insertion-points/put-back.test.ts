/** Settings of an account that a module writes into, and that show what they held once it has ended. */
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { beginWriting } from './put-back.ts'
import { probeAll } from './run.ts'
import { plan } from './testing/probing.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const PAGE = 'http://shop.test/settings'
const FIELDS: RequestTemplate['fields'] = [
  { name: 'csrf', value: 'f00dfeedf00dfeedf00dfeedf00d', type: 'hidden' },
  { name: 'record', value: '7', type: 'hidden' },
  { name: 'name', value: 'Ida', type: 'text' },
  { name: 'language', value: 'de', type: 'select' },
  { name: 'mails', value: '1', type: 'checkbox' },
  { name: 'save', value: 'yes', type: 'submit' },
]

interface Site {
  /** A page after so many requests shows the next record, as a queue does. */
  readonly moves?: boolean
  /** It shows nothing of what it holds. */
  readonly silent?: boolean
  /** Modules that have begun before, and have not ended. */
  readonly beside?: number
}

const settled = async (last: number, { moves = false, silent = false, beside = 0 }: Site) => {
  const held: Record<string, string> = { name: 'Ida', language: 'de' }
  const posts: Record<string, string>[] = []
  let token = ''
  const site = await serveCase(last, {
    http: async (request, response) => {
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') {
        const sent = Object.fromEntries(new URLSearchParams(await text(request)))
        if (sent.csrf !== token || sent.save !== 'yes') return void response.writeHead(403).end('<p>Refused</p>')
        posts.push(sent)
        for (const name of ['name', 'language', 'mails']) held[name] = sent[name] ?? ''
        return void response.writeHead(303, { Location: '/settings' }).end()
      }
      token = `${posts.length + 100}feedf00dfeedf00dfeedf00d`
      const options = [...new Set(['en', 'de', held.language ?? ''])].map(
        (one) => `<option${one === held.language ? ' selected' : ''}>${escaped(one)}</option>`,
      )
      const of = (name: string) => (silent ? '' : escaped(held[name] ?? ''))
      response.end(`<!doctype html><title>Settings</title><form method="post" action="/settings">
        <input type="hidden" name="csrf" value="${token}">
        <input type="hidden" name="record" value="${moves ? posts.length + 7 : 7}">
        <input name="name" value="${of('name')}"><select name="language">${silent ? '' : options.join('')}</select>
        <input type="checkbox" name="mails" value="1"${held.mails === '1' && !silent ? ' checked' : ''}>
        <button name="save" value="yes">Save</button></form>`)
    },
  })
  cleanups.push(site.close)
  const { ctx: given, close } = collectContext(site.address, { module: 'sqli', requests: 1_000 })
  cleanups.push(close)
  const ctx = { ...given, target: { ...given.target, environment: 'test' as const } }
  const form = caseRequest({
    ...{ id: 'settings', method: 'POST', url: PAGE, shape: PAGE, encoding: 'urlencoded', seenOn: [PAGE] },
    ...{ effect: 'writes', bound: 40, fields: FIELDS },
  })
  const crawl = caseCrawl({
    requests: [form],
    points: ['name', 'language', 'mails'].map((name) => ({
      ...{ id: `settings:form:${name}`, request: 'settings', place: 'form' as const, name },
      example: FIELDS.find((one) => one.name === name)?.value ?? '',
    })),
  })
  const others = Array.from({ length: beside }, () => beginWriting(ctx))
  const facts = await probeAll(ctx, crawl, plan)
  return { held, posts, others, putBack: facts.putBack }
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

test('what stood there is sent again, with the token of now and what was pressed, and nothing that was not chosen', async () => {
  const { held, posts, putBack } = await settled(188, {})
  expect(posts.length).toBeGreaterThan(3)
  expect(held).toEqual({ name: 'Ida', language: 'de', mails: '' })
  expect(posts.at(-1)).not.toHaveProperty('mails')
  expect(putBack).toEqual(['settings'])
})

describe('of modules that write together', () => {
  test('the last puts back', async () => {
    const { held, others, putBack } = await settled(189, { beside: 2 })
    expect([putBack, held.name]).not.toEqual([['settings'], 'Ida'])
    const [first, second] = others
    expect(await first?.end()).toEqual({})
    expect(await second?.end()).toEqual({ putBack: ['settings'] })
    expect(held).toMatchObject({ name: 'Ida', language: 'de' })
  })
  test('one that failed keeps nobody from it', async () => {
    const { held, others } = await settled(190, { beside: 2 })
    const [first, second] = others
    first?.over()
    first?.over()
    expect(await second?.end()).toEqual({ putBack: ['settings'] })
    expect(held.name).toBe('Ida')
  })
})

test.each([
  ['another record by now', { moves: true }],
  ['nothing of what it holds', { silent: true }],
])('a page that shows %s is left alone', async (_what, site) => {
  const { posts, putBack } = await settled(191, site)
  expect(putBack).toBeUndefined()
  expect(posts.at(-1)).not.toMatchObject({ name: 'Ida', language: 'de', mails: '' })
})
