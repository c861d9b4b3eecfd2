/** A value within a text of an expression language that joins by + and has lists in braces, and its careful twin. */
import { afterEach, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { collect } from './collect.ts'
import { injection } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Texts in single quotes, doubled within, and the first of a list of a product, joined by +. @throws on anything else */
const evaluate = (expression: string): string => {
  const part = /^\s*(?:'((?:[^']|'')*)'|\{\s*(\d+)\*(\d+)\s*\}\[0\])\s*(?:\+|$)/
  let [rest, said] = [expression, '']
  while (rest !== '') {
    const found = part.exec(rest)
    if (!found) throw new SyntaxError('unexpected')
    const [whole, text, a, b] = found
    said += text === undefined ? String(Number(a) * Number(b)) : text.replaceAll("''", "'")
    rest = rest.slice(whole.length)
  }
  return said
}

const found = async (put: (value: string) => string): Promise<readonly string[]> => {
  const site = await serveCase(181, {
    http: (request, response) => {
      const value = new URL(request.url ?? '', 'http://shop.test').searchParams.get('greeting') ?? ''
      const said = ((): string => {
        try {
          return evaluate(put(value))
        } catch {
          return 'The letter could not be written'
        }
      })()
      response.setHeader('Content-Type', 'text/html')
      response.end(`<!doctype html><title>Letters</title><p>${said.replaceAll('<', '&lt;')}, we write to you.</p>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 1_000 })
  cleanups.push(close)
  const crawl = crawlOf([pointOf('letter', 'query', 'greeting', 'Morning')])
  const requests = crawl.requests.map((one) => ({ ...one, url: 'http://shop.test/letter?greeting=Morning' }))
  const known = { crawl: { ...crawl, requests }, waf: { blockPage: null } }
  const { findings } = judgeModule(injection as never, await collect(ctx, known), known, caseContext())
  return findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)
}

it('is found where it ends the text', async () =>
  expect(await found((value) => `'Good ${value}'`)).toEqual(['injection/code confirmed']))

it('the careful twin is silent', async () =>
  expect(await found((value) => `'Good ${value.replaceAll("'", "''")}'`)).toEqual([]))
