import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { askFormHosts, askHosts } from './hosts.ts'

const HEADER = { place: 'header', name: 'X-Forwarded-Host', value: 'example.org' } as const

/** What a page makes of the header, and of all that it got. */
const asked = async (page: (host: string, all: string) => { text: string; location?: string; status?: number }) => {
  const { probe, sent } = fakeProbe((value, request) => {
    const headers = request?.headers ?? []
    const host = headers.find(([name]) => name === HEADER.name)?.[1] ?? value
    return page(
      request ? (headers.some(([name]) => name === HEADER.name) ? host : 'shop.test') : 'shop.test',
      headers.join(' '),
    )
  }, HEADER)
  const [found] = await askHosts([probe.point], () => probe)
  return { proven: found ? isProven(found.hit) : false, sent }
}

describe('a host that the request names', () => {
  it.each([
    ['in a link', (host: string) => ({ text: `<a href="https://${host}/reset?t=1">Reset</a>` })],
    ['in the base of the page', (host: string) => ({ text: `<base href=//${host}/>` })],
    ['in a redirect', (host: string) => ({ text: '', location: `https://${host}/sign-in`, status: 302 })],
    ['in a refresh', (host: string) => ({ text: `<meta http-equiv=refresh content="0; url=https://${host}/">` })],
    ['in JSON', (host: string) => ({ text: `{"next":"https:\\/\\/${host}\\/page\\/2"}` })],
  ])('is followed %s', async (_name, page) => expect((await asked(page)).proven).toBe(true))

  it.each([
    ['it is shown as a word', (host: string) => ({ text: `<p>Unknown host ${host}</p>` })],
    [
      'it is the name of a parameter in an own link',
      (host: string) => ({ text: `<a href="/go?to=https://${host}">x</a>` }),
    ],
    ['it leads to the site itself', () => ({ text: '<a href="https://shop.test/">Start</a>' })],
    [
      'the page repeats every header',
      (host: string, all: string) => ({ text: `<a href="//${host}"></a><pre>${all}</pre>` }),
    ],
  ])('is not followed where %s', async (_name, page) => expect((await asked(page)).proven).toBe(false))

  it('costs a request for each header where nothing comes of it', async () => {
    expect((await asked(() => ({ text: 'Shop' }))).sent).toHaveLength(2)
  })
})

describe('a host that Host names', () => {
  const asHost = async (page: (host: string, request: HttpRequest) => { text: string; location?: string }) => {
    const requests: HttpRequest[] = []
    const { probe } = fakeProbe((_value, request) => {
      if (request === undefined) return { text: 'Shop' }
      requests.push(request)
      return page(request.headers?.find(([name]) => name === 'Host')?.[1] ?? 'shop.test', request)
    }, HEADER)
    const [found] = await askHosts([probe.point], () => probe)
    return { found, requests }
  }

  it('is followed by a form of the page, and told as that header', async () => {
    const { found } = await asHost((host) => ({ text: `<form action="http://${host}/password/forgot" method="post">` }))
    expect(found && [isProven(found.hit), found.hit.header]).toEqual([true, 'Host'])
  })

  it('is never another but where the target names the site, and goes without the session', async () => {
    const { requests } = await asHost((host) => ({ text: `<a href="//${host}/">Start</a>` }))
    const others = requests.filter(({ headers = [] }) => headers.some(([name]) => name === 'Host'))
    expect(others).toHaveLength(2)
    for (const { url, target, authenticated } of others)
      expect({ target, authenticated }).toEqual({ target: url, authenticated: false })
  })

  it('is followed by the last of many pages where a lost password is for', async () => {
    const pageAt = (path: string) => {
      const text = (host: string) => (path === '/lost' ? `<form action="http://${host}/lost" method="post">` : 'Shop')
      return fakeProbe(
        (_value, request) => ({ text: text(request?.headers?.find(([name]) => name === 'Host')?.[1] ?? 'shop.test') }),
        { ...HEADER, request: { method: 'GET', url: `http://shop.test${path}`, effect: 'reads' } },
      ).probe
    }
    const probes = [...Array.from({ length: 60 }, (_, at) => `/rooms/${at}`), '/lost'].map(pageAt)
    const at = new Map(probes.map((probe) => [probe.point, probe]))
    const probeOf = (point: (typeof probes)[number]['point']) => at.get(point) ?? expect.fail('no other is asked')
    const [found] = await askHosts([...at.keys()], probeOf)
    expect(found && [found.point.request.url, found.hit.header]).toEqual(['http://shop.test/lost', 'Host'])
  })

  it('is not asked for when its time is over, and each page says so', async () => {
    const left: string[] = []
    const { probe, sent } = fakeProbe(() => ({ text: 'Shop' }), HEADER)
    const at = () => ({ ...probe, leave: (way: string, reason: string) => void left.push(`${way}: ${reason}`) })
    expect(await askHosts([probe.point, { ...probe.point }], at, () => true)).toEqual([])
    expect({ sent, left }).toEqual({
      sent: [],
      left: Array(2).fill('host: whose page was not asked, as the time for it was over'),
    })
  })

  it('is not followed by who builds addresses from the target', async () => {
    const { found } = await asHost((_host, { target, url }) => ({ text: `<a href="${target ?? url}">Here</a>` }))
    expect(found).toBeUndefined()
  })
})

describe('a host that the request of a form names', () => {
  const form = {
    place: 'form',
    name: 'email',
    value: 'a@example.org',
    request: { method: 'POST', url: 'http://shop.test/konto/neu', body: 'email=a%40example.org', effect: 'writes' },
  } as const
  const posted = async (page: (host: string) => { text: string; location?: string }, change = {}) => {
    const { probe, sent } = fakeProbe(
      (_value, request) => page(request?.headers?.find(([name]) => name === HEADER.name)?.[1] ?? 'shop.test'),
      { ...form, ...change },
    )
    const [found] = await askFormHosts([probe.point], () => probe)
    return { proven: found ? isProven(found.hit) : false, sent: new Set(sent), count: sent.length }
  }

  it.each([
    ['a link of the answer', (host: string) => ({ text: `<p>A mail was sent. <a href="https://${host}/">Shop</a>` })],
    ['the redirect behind it', (host: string) => ({ text: '', location: `https://${host}/sent` })],
  ])("is followed by %s, sent with the form's own values", async (_name, page) => {
    expect(await posted(page)).toEqual({ proven: true, sent: new Set(['a@example.org']), count: 3 })
  })

  const forgot = { ...form.request, url: 'http://shop.test/rest/session/forgot', effect: 'reads' } as const

  it('is followed by the text of a mail that an interface shows, whatever it seems to do', async () => {
    const shown = (host: string) => ({
      ...{ contentType: 'application/json', text: `{"preview":"Choose a new password at http://${host}/#/reset?t=1"}` },
    })
    const sent = { place: 'json', name: '/email', request: { ...forgot, body: '{"email":"a@example.org"}' } } as const
    expect((await posted(shown, sent)).proven).toBe(true)
    const named = (host: string) => ({ contentType: 'application/json', text: `{"error":"no such host: ${host}"}` })
    expect((await posted(named, sent)).proven).toBe(false)
  })

  it('is named by Host as well where a lost password is asked for', async () => {
    const { probe } = fakeProbe(
      (_value, request) => ({
        text: `<a href="http://${request?.headers?.find(([name]) => name === 'Host')?.[1] ?? 'shop.test'}/reset">x</a>`,
      }),
      { ...form, request: forgot },
    )
    const [found] = await askFormHosts([probe.point], () => probe)
    expect(found?.hit.header).toBe('Host')
    // It mails a link to somebody, which nobody asks of a production system.
    expect(
      await askFormHosts(
        [probe.point],
        () => probe,
        () => false,
        true,
      ),
    ).toEqual([])
  })

  it('costs one request where nothing comes of it, and none where the form only asks', async () => {
    const own = () => ({ text: '<a href="https://shop.test/">Shop</a>' })
    expect(await posted(own)).toMatchObject({ proven: false, count: 1 })
    expect(await posted(own, { request: { ...form.request, effect: 'reads' } })).toMatchObject({ count: 0 })
  })
})
