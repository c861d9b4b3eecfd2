/** Every value that a run of the modules which write leaves in a form holds its marker, or is listed for cleaning up. */
import { afterEach, expect, it } from 'vitest'
import { caseCrawl, caseRequest } from '../src/modules/attack/crawl/testing/crawl-facts.ts'
import { collect as injection } from '../src/modules/attack/injection/collect.ts'
import { collect as sqli } from '../src/modules/attack/sqli/collect.ts'
import { collect as xss } from '../src/modules/attack/xss/collect.ts'
import { collectContext, serveCase } from '../src/modules/testing/collecting.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const MARKER = 'sonde0a1b2c3d'
const PAGE = 'http://shop.test/notes'
const OWN = { title: 'Sunday', seats: '4', words: `${MARKER}01` }

it.each(['urlencoded', 'json'] as const)('of a body that is %s', { timeout: 120_000 }, async (encoding) => {
  const written = new Set<string>()
  const rows: string[] = []
  const site = await serveCase(190, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') {
        const given = valuesIn(body)
        // What it refuses is not stored.
        if (given.get('seats') === '' || given.size === 0) return void response.writeHead(422).end('Refused')
        for (const [name, value] of given) written.add(`${name} ${value}`)
        rows.push(`<li>${(given.get('title') ?? '').replaceAll('<', '&lt;')}</li>`)
      }
      response.end(`<!doctype html><title>Notes</title><form method=post></form><ul>${rows.slice(-20).join('')}</ul>`)
    },
  })
  cleanups.push(site.close)
  const form = caseRequest({
    ...{ id: 'note', method: 'POST', url: PAGE, shape: PAGE, encoding, seenOn: [PAGE], effect: 'writes', bound: 40 },
    ...(encoding === 'json'
      ? { fields: [], body: JSON.stringify(OWN), headers: [['Content-Type', 'application/json']] }
      : { fields: Object.entries(OWN).map(([name, value]) => ({ name, value, type: 'text' })) }),
  })
  const place = encoding === 'json' ? ('json' as const) : ('form' as const)
  const points = Object.entries(OWN).map(([name, value]) => ({
    ...{ id: `note:${place}:${name}`, request: 'note', place, name: encoding === 'json' ? `/${name}` : name },
    example: value,
  }))
  const crawl = { ...caseCrawl({ requests: [form], points }), marker: MARKER }
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 5_000 })
  cleanups.push(close)
  const run = { ...ctx, target: { ...ctx.target, environment: 'test' as const } }
  const facts = []
  for (const collect of [sqli, injection, xss]) facts.push(await collect(run, { crawl }))
  const listed = new Set(
    facts.flatMap(({ writtenValues }) =>
      Object.values(writtenValues ?? {}).flatMap((some) =>
        some.map(({ field, value }) => `${field.replace(/^\//, '')} ${value}`),
      ),
    ),
  )
  const own = new Set(Object.entries(OWN).map((pair) => pair.join(' ')))
  const cut = (text: string): string => text.slice(0, text.indexOf(' ') + 101)
  const unknown = [...written].filter((one) => !own.has(one) && !one.includes(MARKER) && !listed.has(cut(one)))
  expect(unknown).toEqual([])
  expect(listed.size).toBeGreaterThan(0)
})

const valuesIn = (body: string): ReadonlyMap<string, string> => {
  if (!/^\s*\{/.test(body)) return new Map([...new URLSearchParams(body)])
  try {
    const value = JSON.parse(body) as Record<string, unknown>
    return new Map(
      Object.entries(value).flatMap(([name, one]) => (typeof one === 'object' ? [] : [[name, String(one)]])),
    )
  } catch {
    return new Map()
  }
}
