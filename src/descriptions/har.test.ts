import { expect, it } from 'vitest'
import { readDescriptions } from './read.ts'

const request = (method: string, url: string, more: object = {}) => ({ request: { method, url, ...more } })
const read = (entries: readonly object[], host = 'shop.test') => {
  const text = JSON.stringify({ log: { version: '1.2', entries } }, null, 1)
  const [found] = readDescriptions([{ name: 'a.har', text }], { path: null, host, foundAt: null })
  if (!found) throw new Error('it is read')
  return found
}

it('requests of the site’s own host are operations, each once; files and others are refused with their line', () => {
  const found = read([
    request('GET', 'https://cdn.test/lib.js'),
    request('GET', 'https://shop.test/api/orders?page=2'),
    request('GET', 'https://shop.test/api/orders?page=3'),
    request('GET', 'https://shop.test/logo.png'),
    request('POST', 'https://shop.test/api/orders', {
      headers: [
        { name: ':authority', value: 'shop.test' },
        { name: 'X-Tenant', value: 'north' },
      ],
      postData: { mimeType: 'application/json; charset=utf-8', text: '{"item":7}' },
    }),
    request('POST', 'https://shop.test/find', {
      postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'q', value: 'tent' }] },
    }),
  ])
  expect(found).toMatchObject({ kind: 'HAR 1.2', described: 5 })
  expect(found.operations).toMatchObject([
    { method: 'GET', path: '/api/orders', parameters: [{ in: 'query', name: 'page', value: '2', given: true }] },
    {
      ...{ method: 'POST', parameters: [{ in: 'header', name: 'X-Tenant', value: 'north' }] },
      body: { type: 'application/json', text: '{"item":7}' },
    },
    { path: '/find', body: { fields: [{ name: 'q', value: 'tent', type: 'text' }] } },
  ])
  expect(found.refused).toMatchObject([
    { where: 'GET /lib.js', line: 6, reason: 'it goes to another host' },
    { where: 'GET /logo.png', reason: 'a file, and no operation' },
  ])
})

it('a site that was recorded under another name is the first host', () => {
  const found = read([request('GET', 'http://localhost:3000/api/a'), request('GET', 'https://cdn.test/api/b')])
  expect(found.operations.map(({ path }) => path)).toEqual(['/api/a'])
})

it('nothing of the person who recorded it is kept', () => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'kanarie'.repeat(5)}`
  const found = read([
    request('POST', `https://shop.test/login?access_token=kanarie1&ref=${jwt}`, {
      headers: ['Cookie', 'Authorization', 'X-Api-Key', 'X-CSRF-Token', 'X-Session'].map((name) => ({
        ...{ name, value: 'kanarie-2' },
      })),
      cookies: [{ name: 'session', value: 'kanarie-3' }],
      postData: {
        mimeType: 'application/json',
        text: JSON.stringify({ user: 'mia', password: 'kanarie-4', deep: [{ refreshToken: 'kanarie-5', count: 3 }] }),
      },
    }),
  ])
  expect(JSON.stringify(found)).not.toContain('kanarie')
  const inPath = read([request('GET', `https://shop.test/reset/${jwt}`)])
  expect(JSON.stringify(inPath)).not.toContain('kanarie')
  expect(inPath).toMatchObject({ operations: [{ path: '/reset/Test-1234' }] })
  expect(JSON.parse(found.operations[0]?.body?.text ?? '')).toEqual({
    ...{ user: 'mia', password: 'Test-1234', deep: [{ refreshToken: 'Test-1234', count: 3 }] },
  })
  expect(found.leftOut.map(({ where }) => where)).toEqual([
    ...['header Cookie of POST /login', 'header Authorization of POST /login', 'header X-Api-Key of POST /login'],
    ...['header X-CSRF-Token of POST /login', 'header X-Session of POST /login'],
    ...['query parameter access_token of POST /login', 'query parameter ref of POST /login'],
    ...['property /password of POST /login', 'property /deep/0/refreshToken of POST /login'],
  ])
})
