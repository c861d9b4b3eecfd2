import { describe, expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { ok } from '../testing/servers.ts'
import { followRedirects } from './redirects.ts'

const { bench, serve } = benches()

describe('redirects', () => {
  const redirect = (location: string, status = 302) =>
    `HTTP/1.1 ${status} Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`

  test('a hundred of them', async () => {
    const server = await serve((head) => redirect(`/${Number(/\/(\d+)/.exec(head)?.[1] ?? 0) + 1}`))
    const { egress } = bench()
    const chain = await followRedirects(egress, { url: `http://site.test:${server.port}/0` }, 10)
    expect(chain.exchanges).toHaveLength(11)
    expect(chain.error).toMatchObject({ code: 'protocol' })
  })

  test('a circle', async () => {
    const server = await serve((head) => redirect(head.startsWith('GET /a') ? '/b' : '/a'))
    const { egress } = bench()
    const chain = await followRedirects(egress, { url: `http://site.test:${server.port}/a` })
    expect(chain.exchanges).toHaveLength(2)
    expect(chain.error?.message).toContain('loop')
  })

  const forbidden = [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'http://0/',
    '//192.168.0.1:8080/',
  ]
  test.each(forbidden)('to %s', async (location) => {
    const server = await serve(redirect(location))
    const { egress, entries } = bench()
    const chain = await followRedirects(egress, { url: `http://site.test:${server.port}/` })
    expect(chain.exchanges).toHaveLength(1)
    expect(chain.error).toMatchObject({ code: 'refused_by_guard' })
    expect(entries.filter(({ event }) => event === 'refused')).toHaveLength(1)
  })

  test('to another scheme is the end of the chain', async () => {
    const server = await serve(redirect('file:///etc/passwd'))
    const { egress } = bench()
    const chain = await followRedirects(egress, { url: `http://site.test:${server.port}/` })
    expect(chain).toMatchObject({ error: null, exchanges: [{ status: 302 }] })
  })

  test('303 after POST becomes GET, 307 stays; personal headers stay at home', async () => {
    const other = await serve(ok('there'), '127.0.0.2')
    const server = await serve((head) =>
      redirect(`http://127.0.0.2:${other.port}/`, head.startsWith('POST /s') ? 303 : 307),
    )
    const { egress } = bench()
    const ask = (path: string) =>
      followRedirects(egress, {
        url: `http://site.test:${server.port}${path}`,
        method: 'POST',
        body: 'a=b',
        headers: [
          ['Content-Type', 'text/plain'],
          ['Authorization', 'Bearer x'],
          ['X-Kept', '1'],
        ],
      })
    await ask('/see-other')
    await ask('/temporary')
    expect(other.heads[0]).toMatch(/^GET \/ /)
    expect(other.heads[0]).not.toMatch(/content-|authorization/i)
    expect(other.heads[0]).toContain('X-Kept: 1')
    expect(other.heads[1]).toMatch(/^POST [\s\S]*a=b$/)
    expect(other.heads[1]).not.toMatch(/authorization/i)
  })
})
