/** Exclude patterns hold for everything that goes through the door: modules, raw targets, the browser. */
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { type Bench, ok } from '../testing/servers.ts'

const { bench, serve } = benches()

const open = async (
  ...exclude: string[]
): Promise<Bench & { at: (path: string) => string; heads: readonly string[] }> => {
  const server = await serve(ok('page'))
  const made = bench({ exclude, settings: { hosts: { 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] } } })
  return { ...made, at: (path) => `http://site.test:${server.port}${path}`, heads: server.heads }
}

test('an excluded address is refused, named in the audit log, and never asked for', async () => {
  const { egress, at, heads, entries } = await open('/admin', '/**?do=delete')
  for (const path of ['/admin/x', '/%61dmin', '/list?do=delete'])
    await expect(egress.http({ url: at(path) }), path).rejects.toMatchObject({ code: 'excluded' })
  expect(heads).toEqual([])
  expect(entries.filter(({ event }) => event === 'refused').map(({ url }) => url)).toEqual([
    at('/admin/x'),
    at('/%61dmin'),
    at('/list?do=delete'),
  ])
  expect((await egress.http({ url: at('/list') })).status).toBe(200)
  expect([egress.excludes(at('/admin')), egress.excludes(at('/'))]).toEqual([true, false])
})

test('a target that is sent as it is written is read too', async () => {
  const { egress, at, heads } = await open('/admin')
  for (const target of ['/x/../admin', '/x/..%2fadmin', 'admin'])
    await expect(egress.http({ url: at('/'), target }), target).rejects.toMatchObject({ code: 'excluded' })
  expect(heads).toEqual([])
})

test('the start page can be asked for although a pattern names it, by who says so', async () => {
  const { egress, at } = await open('/**')
  await expect(egress.http({ url: at('/') })).rejects.toMatchObject({ code: 'excluded' })
  expect((await egress.http({ url: at('/'), entry: true })).status).toBe(200)
})

test('patterns are for the target, not for other hosts', async () => {
  const { egress, at } = await open('/**')
  expect((await egress.http({ url: at('/x').replace('site.test', 'other.test') })).status).toBe(200)
})

test('the browser is refused as well', async () => {
  const { egress, at, heads } = await open('/admin')
  const proxy = new URL((await egress.browserProxy()).url)
  const authorization = `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`
  const refused = await new Promise((resolve, reject) => {
    request(
      {
        host: proxy.hostname,
        port: proxy.port,
        path: at('/admin'),
        headers: { 'Proxy-Authorization': authorization },
      },
      (response) => {
        response.resume()
        resolve(response.headers['sonde-refused'])
      },
    )
      .once('error', reject)
      .end()
  })
  expect(refused).toBe('excluded')
  expect(heads).toEqual([])
})
