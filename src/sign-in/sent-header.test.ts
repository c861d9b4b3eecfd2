import { afterEach, expect, test } from 'vitest'
import { memberSite } from '../../tests/support/member-site.ts'
import { closeSigning, signing } from './testing/steps.ts'

afterEach(closeSigning)

type Answer = ReturnType<typeof memberSite>['answer']
const HTML = { 'Content-Type': 'text/html' }

test('a header that scripts send with what the page keeps is sent from then on; nobody has to name it', async () => {
  const TOKEN = 'eyJhbGciOi.eyJuYW1lIjoi'
  const script = `<script>localStorage.setItem('app-v2', JSON.stringify({ user: { token: '${TOKEN}' } }))
    fetch('/me', { headers: { 'x-client-version': '2026.11.27-stable-build', 'x-auth': '${TOKEN}', 'x-csrf-token': '${TOKEN}' } })</script>`
  const header = async (more: Readonly<Record<string, string>>) => {
    const answer: Answer = (_, response) => void response.writeHead(200, { ...HTML, ...more }).end(script)
    const { signIn } = await signing({ steps: [{ do: 'goto', url: '/app' }] }, { ...memberSite(), answer })
    const { header: line } = await signIn()
    await closeSigning()
    return line
  }
  expect(await header({})).toBe(`x-auth: ${TOKEN}`)
  expect(await header({ 'Set-Cookie': `token=${TOKEN}` })).toBeNull()
})

test('one that a script makes of its cookie is sent where the cookie alone lets nobody in', async () => {
  const TOKEN = 'eyJhbGciOi.eyJuYW1lIjoi'
  const script = `<script>document.cookie = 'jwt=${TOKEN}'
    fetch('/me', { headers: { Authorization: 'Bearer ${TOKEN}' } })</script>`
  const header = async (reads: 'header' | 'cookie') => {
    const answer: Answer = ({ url, headers }, response) => {
      const isIn = reads === 'header' ? headers.authorization !== undefined : headers.cookie?.includes(TOKEN)
      if (url === '/me')
        return void response.writeHead(isIn ? 200 : 401, { 'Content-Type': 'application/json' }).end('{}')
      return void response.writeHead(200, HTML).end(script)
    }
    const { signIn } = await signing({ steps: [{ do: 'goto', url: '/app' }] }, { ...memberSite(), answer })
    const { header: line, storage } = await signIn()
    await closeSigning()
    expect(storage.items).toEqual([{ area: 'cookie', name: 'jwt', value: TOKEN }])
    return line
  }
  expect(await header('header')).toBe(`authorization: Bearer ${TOKEN}`)
  expect(await header('cookie')).toBeNull()
})

test('so it is where all pages answer everybody, and the proof names whoever has the header', async () => {
  const TOKEN = 'eyJhbGciOi.eyJuYW1lIjoi'
  const script = `<script>document.cookie = 'token=${TOKEN}'; localStorage.setItem('token', '${TOKEN}')
    fetch('/goods', { headers: { Authorization: 'Bearer ${TOKEN}' } })</script>`
  const header = async (reads: 'header' | 'cookie') => {
    const answer: Answer = ({ url, headers }, response) => {
      const isIn = (reads === 'header' ? headers.authorization : headers.cookie)?.includes(TOKEN) === true
      if (url === '/app') return void response.writeHead(200, HTML).end(script)
      const said = isIn ? 'Hello Ada' : 'Hello'
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ said }))
    }
    const { signIn } = await signing({ steps: [{ do: 'goto', url: '/app' }] }, { ...memberSite(), answer })
    const { header: line } = await signIn()
    await closeSigning()
    return line
  }
  expect(await header('header')).toBe(`authorization: Bearer ${TOKEN}`)
  expect(await header('cookie')).toBeNull()
})

test('so is one with what a page was answered and keeps in its memory alone', async () => {
  const TOKEN = 'eyJhbGciOi.eyJuYW1lIjoi'
  const script = `<script>fetch('/auth', { method: 'POST' }).then((answer) => answer.json())
    .then(({ data }) => fetch('/me', { headers: { Authorization: 'Bearer ' + data.token } }))</script>`
  const answer: Answer = (request, response) =>
    request.method === 'POST'
      ? void response
          .writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': 'refresh=1; HttpOnly' })
          .end(JSON.stringify({ data: { token: TOKEN } }))
      : void response.writeHead(200, HTML).end(script)
  const { signIn } = await signing({ steps: [{ do: 'goto', url: '/app' }] }, { ...memberSite(), answer })
  expect(await signIn()).toMatchObject({ cookie: 'refresh=1', header: `authorization: Bearer ${TOKEN}` })
})
