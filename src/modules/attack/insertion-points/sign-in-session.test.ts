/** A sign-in whose page gives a session with its token: whoever gets in has it from then on. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { closeProbed, cookiesOf, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const TOKEN = 'c5d0a1f2e39b4788a6'
const SIGN_IN = caseRequest({
  ...{ id: 'in', method: 'POST', url: 'http://shop.test/login', encoding: 'urlencoded', effect: 'reads' },
  seenOn: ['http://shop.test/login'],
  fields: [
    { name: 'user', value: 'ann', type: 'text' },
    { name: 'password', value: 'x', type: 'password' },
    { name: 'csrf_token', value: TOKEN, type: 'hidden' },
  ],
})

const SIGNED_IN = { state: 'live', canary: null, withThem: null, withoutThem: null, proofs: 1, doubtful: [] } as const

it('is asked in a session of its own each time', async () => {
  let given = 0
  const asked: string[] = []
  const form = `<form method=post action=/login><input name=user><input type=password name=password><input type=hidden name=csrf_token value=${TOKEN}></form>`
  await probed(
    async (request, response) => {
      if (request.method === 'POST') {
        const { password } = Object.fromEntries(new URLSearchParams(await text(request)))
        asked.push(`${password} ${cookiesOf(request.headers.cookie).sid}`)
        return void response.end(html('Wrong password'))
      }
      response.setHeader('Set-Cookie', `sid=s${++given}; Path=/`).end(html(form))
    },
    crawlOf([pointOf('in', 'form', 'password', 'x')], { requests: [SIGN_IN], session: SIGNED_IN }),
    null,
    'sid=own',
    {
      probe: async (probe) => {
        for (const value of ['one', 'two', 'three']) await probe.send(value)
      },
    },
  )
  const sessions = asked.filter((one) => /^(?:one|two|three) /.test(one)).map((one) => one.split(' ')[1])
  expect(sessions).toHaveLength(3)
  expect(new Set([...sessions, 'own', undefined]).size).toBe(5)
})
