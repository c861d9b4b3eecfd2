import { afterEach, describe, expect, it } from 'vitest'
import { closeCrawled, crawl } from './testing/crawling.ts'
import { headersToldIn } from './told-headers.ts'
import { operationsToldIn } from './told-operations.ts'

/** `POST /api/login {"a":1}`, or with fields. */
const told = (text: string, type = 'text/html', url = 'http://shop.test/docs'): readonly string[] =>
  operationsToldIn(text, type, url).map(({ method, path, parameters, body }) =>
    [
      ...[method, path],
      ...parameters.map((one) => `${one.in}:${one.name}=${one.value}`),
      ...(body === null ? [] : [body.text || body.fields.map(({ name, value }) => `${name}=${value}`).join('&')]),
    ].join(' '),
  )

describe('operations that a page tells of', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'in a list',
      '<ul><li><code>GET /api/items</code> all<li><code>POST /api/items</code> <code>{"title": "a", "price": 3}</code></ul>',
      ['GET /api/items', 'POST /api/items {"title":"a","price":3}'],
    ],
    [
      'in a table',
      '<table><tr><td>POST</td><td>/api/login</td><td>{ email, password }</td></tr></table>',
      ['POST /api/login {"email":"test","password":"Test-1234"}'],
    ],
    ['with the path first', '<table><tr><td>/api/orders</td><td>GET</td></tr></table>', ['GET /api/orders']],
    [
      'with parameters of the path, however they are written',
      '<p>GET /a/{id}, GET /b/:id and GET /c/&lt;int:id&gt;?sort=name</p>',
      ['GET /a/{id}', 'GET /b/{id}', 'GET /c/{id} query:sort=name'],
    ],
    ['with fields', '<pre>POST /transfer\nto=17&amount=5</pre>', ['POST /transfer to=17&amount=5']],
    [
      'as people write JSON',
      "<p>PUT http://localhost:8080/api/me with {name: 'Robin', age: int, ...}</p>",
      ['PUT /api/me {"name":"Robin","age":1}'],
    ],
    [
      'as commands',
      `<pre>curl -X POST https://shop.test/api/notes \\\n  -H 'Content-Type: application/json' -H 'X-Batch: 1' \\\n  -d '{"text":"hi"}'\ncurl "http://localhost/api/find?q=a"</pre>`,
      ['POST /api/notes header:X-Batch=1 {"text":"hi"}', 'GET /api/find query:q=a'],
    ],
    [
      'as commands, without headers that have a request mean another one',
      "<pre>curl http://localhost/api/notes/7 -H 'X-HTTP-Method-Override: DELETE' -H 'Authorization: Bearer abc' -H 'X-Batch: 1'</pre>",
      ['GET /api/notes/7 header:X-Batch=1'],
    ],
    ['of itself', '<p>POST JSON with {"name": "value"}</p>', ['POST /docs {"name":"value"}']],
  ])('%s', (_name, text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it.each(['<!--', '<script>', '<a ', 'GET /', '/ab GE', 'POST a ', 'POST /x {"a":', 'curl ', '<b>'])(
    'is read quickly of a page full of %j, and so are headers',
    (part) => {
      const began = process.cpuUsage()
      told(part.repeat(200_000 / part.length))
      headersToldIn(part.repeat(200_000 / part.length))
      expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000)
    },
  )

  it('also in text and data', () => {
    expect(told('{"routes": ["GET /api/v1/users", "DELETE /api/v1/users/:id"]}', 'application/json')).toEqual([
      'GET /api/v1/users',
      'DELETE /api/v1/users/{id}',
    ])
  })

  it.each([
    ['lines of a log', '10.0.0.1 - - "GET /wp-login.php HTTP/1.1" 404 12'],
    ['what is not there', 'Cannot POST /api/none'],
    ['other hosts', 'curl https://api.other.test/v1/x -d a=b'],
    ['words', 'GET IN TOUCH / POST OFFICE, PUT it down'],
    ['scripts and comments', '<script>// POST /api/a</script><!-- GET /b -->'],
  ])('are not %s', (_name, text) => {
    expect(told(text)).toEqual([])
  })
})

describe('a crawl', () => {
  afterEach(closeCrawled)
  const pages = {
    '/': '<p>Our interface: <code>POST /api/find {"q": "tent"}</code>, <code>GET /api/items/{id}</code>, <code>GET /api/all?sort=a</code>, <code>GET /not/here</code></p>',
    '/api/all': { type: 'application/json', body: '[]' },
    '/api/find': { type: 'application/json', body: '{"hits": []}' },
    '/api/items/1': { type: 'application/json', body: '{"id": 1}' },
  }

  it('asks them', async () => {
    const { facts, seen } = await crawl(pages, {}, 'test')
    expect(seen).toContain('POST /api/find')
    expect(seen).toContain('GET /api/items/1')
    expect(seen).toContain('GET /api/all?sort=a')
    expect(facts.requests.map(({ url }) => new URL(url).pathname)).not.toContain('/not/here')
    expect(facts.points.map(({ place, name }) => `${place} ${name}`)).toContain('json /q')
  })

  it('of a system in production those alone that read: anybody may have written the page', async () => {
    const { seen } = await crawl(pages)
    expect(seen).toContain('GET /api/items/1')
    expect(seen).not.toContain('POST /api/find')
  })
})
