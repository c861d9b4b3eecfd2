/** What only an active scan finds: an interface described by documents and scripts, and files that were left behind. */
import { html } from '../shop/html.ts'
import type { Ask, Reply, Route } from '../shop/route.ts'

const json = (value: object, status = 200): Reply => ({ status, body: JSON.stringify(value), type: 'application/json' })
const text = (body: string): Reply => ({ body, type: 'text/plain; charset=utf-8' })

/** Linked from the sitemap alone, so that a passive scan of twenty pages does not come here. */
const sitemap: Route = {
  path: '/sitemap.xml',
  answer: ({ shop }) => ({
    body: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${shop.httpsOrigin}/workshop</loc></url></urlset>`,
    type: 'application/xml',
  }),
}

const workshop: Route = {
  path: '/workshop',
  answer: ({ nonce, shop }) => ({
    page: {
      title: 'Workshop',
      body: html`<main class="wrap"><h2>Repairs</h2><div id="repairs"></div>
<p><a href="/workshop/parts?name=zip">Spare parts</a> <a href="/workshop/ticket?number=A-17">Your ticket</a></p><button id="more" type="button">Show more</button>
${shop.fixed ? html`<script src="/static/workshop.js" nonce="${nonce}" defer></script>` : html`<script src="/static/workshop.js" defer></script>`}</main>`,
    },
  }),
}

/** Builds its addresses piece by piece: reading the code does not show them, running it does. */
const SCRIPT = `var at = function () { return '/' + Array.prototype.join.call(arguments, '/') }
var place = document.getElementById('repairs')
fetch(at('workshop', 'api', 'repairs') + '?page=1').then(function (answer) { return answer.json() }).then(function (list) {
  list.forEach(function (id) {
    var link = document.createElement('a')
    link.href = at('workshop', 'repair', id)
    link.textContent = 'Repair ' + id
    place.append(link)
  })
})
document.getElementById('more').addEventListener('click', function () {
  fetch(at('workshop', 'api', 'more'), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ after: 3 }) })
})
`

const script: Route = {
  path: '/static/workshop.js',
  answer: () => ({ body: SCRIPT, type: 'text/javascript; charset=utf-8' }),
}
const repairs: Route = { path: '/workshop/api/repairs', answer: () => json([1, 2, 3]) }
const more: Route = { path: '/workshop/api/more', answer: () => json([4, 5]) }
const repair: Route = {
  path: '/workshop/repair/*',
  answer: ({ url }) =>
    /^\/workshop\/repair\/\d$/.test(url.pathname)
      ? { page: { title: 'Repair', body: html`<main class="wrap"><h2>A new zip</h2><p>Done in two weeks.</p></main>` } }
      : null,
}

const description: Route = {
  path: '/openapi.json',
  answer: ({ shop }) =>
    shop.fixed
      ? null
      : json({
          openapi: '3.0.3',
          info: { title: 'Stock', version: '1' },
          paths: {
            '/stock/{id}': {
              parameters: [{ name: 'id', in: 'path', schema: { type: 'integer', example: 7 } }],
              get: { parameters: [{ name: 'unit', in: 'query', schema: { type: 'string', enum: ['piece'] } }] },
              delete: {},
            },
          },
        }),
}
const stock: Route = { path: '/stock/*', answer: ({ url }) => (url.pathname === '/stock/7' ? json({ left: 3 }) : null) }

const SCHEMA = {
  queryType: { name: 'Query' },
  mutationType: null,
  types: [
    {
      name: 'Query',
      kind: 'OBJECT',
      fields: [
        {
          name: 'tent',
          args: [{ name: 'slug', type: { name: 'String', kind: 'SCALAR' } }],
          type: { name: 'String', kind: 'SCALAR' },
        },
      ],
    },
  ],
}

const graphql: Route = {
  path: '/graphql',
  answer: (ask) => {
    // The whole body comes as one name: the shop reads forms alone.
    const query = [...ask.form.keys()].join('&')
    if (ask.method !== 'POST' || query === '') return null
    if (query.startsWith('['))
      return ask.shop.fixed ? json({ errors: [] }, 400) : json(Array(10).fill({ data: { __typename: 'Query' } }))
    if (query.includes('__schema'))
      return ask.shop.fixed ? json({ errors: [{ message: 'not allowed' }] }, 400) : json({ data: { __schema: SCHEMA } })
    return query.includes('{__typename}')
      ? json({ data: { __typename: 'Query' } })
      : json({ errors: [{ message: 'no such field' }] }, 400)
  },
}

const LEFT_BEHIND: Readonly<Record<string, string>> = {
  '/.env': 'APP_ENV=production\nDB_HOST=10.20.30.41\nDB_PASSWORD=Summer-2024!x\n',
  '/.git/HEAD': 'ref: refs/heads/main\n',
  '/backup.sql':
    '-- MySQL dump 10.19\nCREATE TABLE customers (id int, mail text);\nINSERT INTO customers VALUES (1, "robin@northfold.test");\n',
  '/nginx_status': 'Active connections: 3 \nserver accepts handled requests\n 12 12 40 \n',
}

const leftBehind: readonly Route[] = Object.entries(LEFT_BEHIND).map(([path, body]) => ({
  path,
  answer: ({ shop }: Ask) => (shop.fixed ? null : text(body)),
}))

export const CRAWL_ROUTES: readonly Route[] = [
  sitemap,
  workshop,
  script,
  repairs,
  more,
  repair,
  description,
  stock,
  graphql,
  ...leftBehind,
]
