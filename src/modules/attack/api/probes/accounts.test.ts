/** What a sign-in tells of accounts, asked of real servers. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { ownSignIn } from '../../insertion-points/own-sign-in.ts'
import type { AccountHit } from '../facts.ts'
import { accountsWork, toldByTime } from './accounts.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** Kinds of what is found where the sign-in answers each name so; the account of the run is `admin`. */
const found = async (last: number, answer: (name: string) => string, status = 401): Promise<readonly string[]> => {
  const site = await serveCase(last, {
    http: (request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () =>
        response.writeHead(status, { 'Content-Type': 'text/plain' }).end(answer(JSON.parse(body).username)),
      )
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const request = caseRequest({
    ...{ method: 'POST', url: 'http://shop.test/login', encoding: 'json' },
    ...{ body: '{"username":"a","password":"b"}', sent: false },
  })
  const hits: AccountHit[] = []
  await accountsWork(ctx, { name: 'admin', mail: null })(request, (hit) => void hits.push(hit))
  // How long they take is this machine's affair.
  return hits.flatMap(({ kind }) => (kind === 'unsure' ? [] : [kind]))
}

test.each<[string, (name: string) => string, readonly string[]]>([
  ['another text', (name) => (name === 'admin' ? 'Wrong password' : 'No such user'), ['answer']],
  ['the same to everybody', () => 'Wrong name or password', []],
  [
    'the same, with the name that was sent',
    (name) => `No, ${name}, and no again: user=${encodeURIComponent(name)}`,
    [],
  ],
  ['the same, with a word that begins with the name', () => 'Wrong. Ask your administrator.', []],
  [
    'a word that begins with the name, to the account alone',
    (name) => (name === 'admin' ? 'administrator' : 'x'),
    ['answer'],
  ],
])('%s', async (name, answer, kinds) => {
  expect(await found(150 + name.length, answer)).toEqual(kinds)
})

test('a page whose form has a field called token lets nobody in', async () => {
  const form = '<form><input type="hidden" name="token" value="a1"><input name="username"></form>'
  expect(
    await found(149, (name) => `${form}<p>${name === 'admin' ? 'The password is wrong.' : 'No such user.'}`, 200),
  ).toEqual(['answer'])
  await expect(found(148, () => '{"token":"a.b.c"}', 200)).rejects.toThrow('let a made-up password in')
})

test('a sign-in whose page gives a token with each session is asked with them', async () => {
  const asked: string[] = []
  const site = await serveCase(145, {
    http: async (request, response) => {
      if (request.method === 'GET')
        return response
          .writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'session=s1; Path=/' })
          .end(
            '<form method=post action=/login><input name=user><input type=password name=pass><input type=hidden name=csrf_token value=fresh>',
          )
      const body = new URLSearchParams(await text(request))
      const isOwn = body.get('csrf_token') === 'fresh' && request.headers.cookie === 'session=s1'
      asked.push(isOwn ? (body.get('user') ?? '') : 'turned away')
      const said = body.get('user') === 'admin' ? 'The password is wrong.' : 'No such user.'
      return response.writeHead(isOwn ? 200 : 422, { 'Content-Type': 'text/html' }).end(isOwn ? said : 'Run out')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const field = (name: string, type: string) => ({ name, type, value: '' })
  const fields = [field('user', 'text'), field('pass', 'password'), field('csrf_token', 'hidden')]
  const form = {
    url: 'http://shop.test/login',
    encoding: 'urlencoded',
    fields,
    body: null,
    page: 'http://shop.test/login',
  } as const
  const request = ownSignIn({ form, leading: undefined }, [])
  const hits: AccountHit[] = []
  if (request) await accountsWork(ctx, { name: 'admin', mail: null })(request, (hit) => void hits.push(hit))
  expect(asked).not.toContain('turned away')
  expect(hits.map(({ kind }) => kind)).toContain('answer')
})

test('a sign-in that answers one name in several ways has shown nothing', async () => {
  let count = 0
  await expect(found(146, () => ['Wrong', 'No', 'Not so'][count++ % 3] ?? '')).rejects.toThrow('by itself')
})

test.each([
  [
    'says which it was',
    (name: string) => (name === 'admin' ? 'The password is wrong' : `Nobody is called ${name}`),
    ['answer'],
  ],
  ['says the same of all', () => 'Name or password are wrong', []],
])('a form whose answer leads to a page that %s', async (_what, notice, kinds) => {
  for (const keeps of ['in its cookie', 'in its session'] as const) {
    const notices = new Map<string, string>()
    const site = await serveCase(147, {
      http: async (request, response) => {
        const cookie = /said=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
        if (request.method === 'POST') {
          const said = notice(new URLSearchParams(await text(request)).get('login') ?? '')
          const id = keeps === 'in its cookie' ? encodeURIComponent(said) : String(notices.size + 1)
          notices.set(id, said)
          return void response.writeHead(302, { Location: '/login', 'Set-Cookie': `said=${id}` }).end()
        }
        const said = keeps === 'in its cookie' ? decodeURIComponent(cookie) : (notices.get(cookie) ?? '')
        response.setHeader('Content-Type', 'text/html').end(`<p>${said}</p><form method="post"></form>`)
      },
    })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
    const request = caseRequest({
      ...{ method: 'POST', url: 'http://shop.test/login', encoding: 'urlencoded', source: 'form', body: null },
      fields: [
        { name: 'login', value: 'a', type: 'text' },
        { name: 'password', value: 'b', type: 'password' },
      ],
    })
    const hits: AccountHit[] = []
    await accountsWork(ctx, { name: 'admin', mail: null })(request, (hit) => void hits.push(hit))
    await close()
    await cleanups.pop()?.()
    expect([keeps, hits.flatMap(({ kind }) => (kind === 'unsure' ? [] : [kind]))]).toEqual([keeps, kinds])
  }
})

test.each<[string, readonly number[], readonly number[], ReturnType<typeof toldByTime>]>([
  ['a hash for the account alone', [180, 170], [20, 25, 22, 30, 21, 24], 'time'],
  ['all alike', [22, 26], [20, 25, 22, 30, 21, 24], null],
  ['a hash behind a slow page', [150, 160], [90, 95, 92, 99, 91, 94], 'unsure'],
  ['a busy machine', [130, 366], [19, 39, 112, 113, 58, 67], 'unsure'],
])('times: %s', (_name, known, madeUp, told) => {
  expect(toldByTime(known, madeUp)).toBe(told)
})

test('a form that takes nothing but what comes from its own page is sent as that page sends it', async () => {
  const ask = async (last: number, takes: (origin: string) => boolean) => {
    const site = await serveCase(last, {
      http: async (request, response) => {
        const body = new URLSearchParams(await text(request))
        const isTaken = takes(String(request.headers.origin))
        response
          .writeHead(isTaken ? 400 : 403, { 'Content-Type': 'text/plain' })
          .end(!isTaken ? 'Cross-site POST form submissions are forbidden' : body.get('email') === OWN ? 'No.' : 'Who?')
      },
    })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
    cleanups.push(close)
    const fields = ['email', 'password'].map((name) => ({ name, value: 'a', type: name }))
    const page = 'http://shop.test/login'
    const request = caseRequest({
      method: 'POST',
      url: `${page}?/login`,
      encoding: 'urlencoded',
      fields,
      seenOn: [page],
    })
    const hits: AccountHit[] = []
    await accountsWork(ctx, { name: null, mail: OWN })(request, (hit) => void hits.push(hit))
    return hits.flatMap(({ kind }) => (kind === 'answer' ? [kind] : []))
  }
  const OWN = 'ada@mail.test'
  expect(await ask(141, (origin) => origin === 'http://shop.test')).toEqual(['answer'])
  // Refused whatever is sent is no pass.
  await expect(ask(142, () => false)).rejects.toThrow('with status 403')
})
