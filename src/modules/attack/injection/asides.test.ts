/** What is asked beside places: names with a null byte. A real server, and its safe twin. */
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { crawlOf } from '../insertion-points/testing/probing.ts'
import { askNullBytes } from './probes/null-byte.ts'
import { close, row, scan } from './testing/asides.ts'

afterEach(close)

describe('a folder that hands out some kinds of files', () => {
  const FILES: Readonly<Record<string, string>> = { 'plans.md': 'Plans', 'users.bak': 'robin:4711' }
  const asking = async (fileOf: (segment: string) => string | null) => {
    const handle: RequestListener = (request, response) => {
      const segment = /^\/kept\/([^/?]+)$/.exec(request.url ?? '')?.[1]
      const name = segment === undefined ? null : fileOf(segment)
      if (name === null) response.writeHead(403).end('Only .md and .pdf files are handed out')
      else if (FILES[name] === undefined) response.writeHead(404).end('There is none')
      else response.end(FILES[name])
    }
    const crawl = {
      ...crawlOf([]),
      urls: [row('/kept/plans.md'), row('/kept/users.bak', 403), row('/kept/none.bak', 404)],
    }
    const { found, stateOf, said } = await scan(handle, crawl, 'production', async (ctx) => ({
      nullBytes: await askNullBytes(ctx, crawl),
    }))
    return { found, state: stateOf('injection/null-byte'), said }
  }
  const isAllowed = (name: string): boolean => /\.(?:md|pdf)$/.test(name)

  it.each([
    ['decodes once more behind the check', (name: string) => (isAllowed(name) ? (name.split('%00')[0] ?? '') : null)],
    [
      'ends the name as what is written in C does',
      (name: string) => (isAllowed(name) ? (name.split('\0')[0] ?? '') : null),
    ],
  ])('and %s is found', async (_how, fileOf) => {
    const { found, said } = await asking((segment) => fileOf(decodeURIComponent(segment)))
    expect(found).toEqual(['injection/null-byte confirmed'])
    expect(said).toMatch(/users\.bak is refused, and handed out as \/kept\/users\.bak%/)
  })

  it('and takes names as they are is safe', async () => {
    const { found, state } = await asking((segment) => (isAllowed(decodeURIComponent(segment)) ? segment : null))
    expect([found, state]).toEqual([[], 'pass'])
  })

  it('and answers every name with one page is safe', async () => {
    const { found, state } = await asking((segment) => (isAllowed(decodeURIComponent(segment)) ? 'plans.md' : null))
    expect([found, state]).toEqual([[], 'pass'])
  })
})
