/** Which cookies a crawl's requests carry. */
import { afterEach, describe, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { createFetcher } from './fetching.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const visit = async (number: number, cookie: string | null) => {
  const asked: string[] = []
  const server = await serveCase(number, {
    https: (request, response) => {
      asked.push(`${request.url} ${request.headers.cookie ?? '-'}`)
      const sets: Readonly<Record<string, readonly string[]>> = {
        '/basket/add': ['basket=4f1c9a7be2d05836; Path=/', 'sid=0000000000000000; Path=/'],
        '/basket/empty': ['basket=; Max-Age=0; Path=/'],
      }
      response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': [...(sets[request.url ?? ''] ?? [])] })
      response.end('<!doctype html><title>Shop</title>')
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'crawl', cookie })
  cleanups.push(close)
  const hidden: string[] = []
  const egress = { ...ctx.egress, hideCookies: (cookies: string) => hidden.push(cookies) }
  const fetcher = createFetcher({ ...ctx, egress })
  fetcher.keep('access', '/shop/now')
  for (const path of ['/basket/add', '/basket', '/basket/', '/basket/empty', '/pay'])
    await fetcher.get(`https://shop.test${path}`)
  return { asked, hidden }
}

describe('what pages set', () => {
  it('goes along beside the session of the run, hidden as that is but for what scripts set, and never in its place', async () => {
    const { asked, hidden } = await visit(201, 'sid=a1b2c3d4e5f60718')
    const own = 'sid=a1b2c3d4e5f60718; access=/shop/now'
    const beside = `${own}; basket=4f1c9a7be2d05836`
    expect(asked).toEqual([
      `/basket/add ${own}`,
      `/basket ${beside}`,
      `/basket/ ${beside}`,
      `/basket/empty ${beside}`,
      `/pay ${own}`,
    ])
    expect(hidden).toEqual(['basket=4f1c9a7be2d05836'])
  })

  it('goes along where the run is nobody', async () => {
    const { asked, hidden } = await visit(202, null)
    expect(asked[1]).toBe('/basket access=/shop/now; basket=4f1c9a7be2d05836; sid=0000000000000000')
    expect(hidden).toEqual([])
  })
})
