/** Small applications as their builds have them: bundled, split, minified, transpiled. */
import { build, minifySync } from 'vite'
import { expect, it } from 'vitest'
import { createScripts } from '../scripts.ts'
import { calledIn } from './testing/lines.ts'

/** Files by name, the first is where the application starts; chunks as the bundler cuts them. */
const bundled = async (files: Readonly<Record<string, string>>): Promise<readonly { name: string; code: string }[]> => {
  const [start = ''] = Object.keys(files)
  const result = await build({
    ...{ configFile: false, logLevel: 'silent', root: '/' },
    build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input: start } },
    plugins: [
      {
        name: 'in memory',
        resolveId: (id) => (Object.hasOwn(files, id.replace(/^\.?\//, '')) ? `\0${id.replace(/^\.?\//, '')}` : null),
        load: (id) => files[id.slice(1)] ?? null,
      },
    ],
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs.flatMap((one) =>
    'output' in one
      ? one.output.flatMap((part) => (part.type === 'chunk' ? [{ name: part.fileName, code: part.code }] : []))
      : [],
  )
}

const AXIOS = `
  export const http = window.lib.create({ baseURL: '/api/v2', headers: { 'X-Area': 'shop' } })
  export const users = {
    list: (params) => http.get('/users', { params }),
    create: (user) => http.post('/users', user),
    rename: (id, name) => http.patch(\`/users/\${id}\`, { name }),
    avatar(id, file) { const data = new FormData(); data.append('avatar', file, 'a.png'); return http.put('/users/' + id + '/avatar', data) },
  }
`
const PAGES = `
  import { users } from 'api.js'
  export const Page = ({ useState }) => {
    const [form, setForm] = useState({ email: '', stars: 5 })
    const search = (q) => users.list({ q, page: 1 }).then(setForm)
    return { search, save: () => users.create(form), rename: (id) => users.rename(id, form.email) }
  }
`

it('an application with a client of its own and pages in chunks', async () => {
  const chunks = await bundled({
    'main.js': `import 'api.js'; window.show = () => import('pages.js').then((m) => m.Page(window))`,
    'pages.js': PAGES,
    'api.js': AXIOS,
  })
  expect(chunks.length).toBeGreaterThan(1)
  for (const order of [chunks, chunks.toReversed()])
    expect(calledIn(...order)).toEqual(
      expect.arrayContaining([
        'GET /api/v2/users?q=1&page=1 X-Area: shop',
        'PATCH /api/v2/users/1 json {"name":"test"} X-Area: shop',
        'POST /api/v2/users json {"email":"test@example.org","stars":5} X-Area: shop',
        'PUT /api/v2/users/1/avatar multipart {"avatar":""} files avatar X-Area: shop',
      ]),
    )
})

it('services and components with injected clients', async () => {
  const chunks = await bundled({
    'main.js': `import { Orders } from 'orders.js'; window.open = () => import('view.js'); window.app = Orders`,
    'orders.js': `
      import { inject, HttpClient, environment } from 'platform.js'
      export class Orders {
        http = inject(HttpClient)
        base = environment.api
        host = this.base + '/rest/orders'
        all(filter) { return this.http.get(this.host, { params: filter }) }
        place(order) { return this.http.post(this.host, order) }
        change(id, order) { return this.http.put(\`\${this.host}/\${id}\`, order) }
        cancel(id) { return this.http.delete(this.host + '/' + id) }
      }`,
    'view.js': `
      import { Orders } from 'orders.js'
      import { inject } from 'platform.js'
      export class View {
        orders = inject(Orders); order = {}; amount = 1
        search(state) { this.orders.all({ state }).subscribe((rows) => (this.rows = rows)) }
        save() { this.order.sku = this.sku; this.order.amount = this.amount; this.orders.place(this.order).subscribe() }
        edit(row) { this.orders.change(row.id, { amount: 2, note: this.note }).subscribe() }
      }
      window.view = new View()`,
    'platform.js': `export const environment = window.__ENV; export const inject = (token) => window.injector.get(token); export class HttpClient { get(url, options) { return window.send(url, options) } post() {} put() {} delete() {} }`,
  })
  expect(calledIn(...chunks)).toEqual([
    'DELETE /rest/orders/1',
    'GET /rest/orders',
    'GET /rest/orders?state=1',
    'POST /rest/orders',
    'POST /rest/orders json {"sku":"1","amount":1}',
    'PUT /rest/orders/1',
    'PUT /rest/orders/1 json {"amount":2,"note":"1"}',
  ])
})

it('an application behind libraries that write thousands of fields and members', () => {
  const library = Array.from(
    { length: 3_000 },
    (_, n) =>
      `class L${n}{constructor(){this.a=1}};L${n}.b=${n};function f${n}(o){o.c=1;const d={};d.e.f=${n};return d}`,
  ).join(';')
  const code = `${library};var h="",S=class{constructor(){this.http=g(C);this.base=h+"/rest/session"}login(e){return this.http.get(this.base+"/user?name="+e)}
    send(e){let f=new FormData;f.append("photo",e,e.name);return this.http.post(h+"/rest/photo",f)}}`
  expect(calledIn(code)).toEqual([
    'GET /rest/session/user?name=1',
    'POST /rest/photo multipart {"photo":""} files photo',
  ])
})

it('an application behind millions of bytes of its libraries', () => {
  expect(calledIn(`var licences="${'a'.repeat(3 * 1024 * 1024)}",base="/api";fetch(base+"/orders")`)).toEqual([
    'GET /api/orders',
  ])
})

it('settings that a build cuts off into a file of their own, in whatever order they come', () => {
  const settings = {
    name: 'settings.js',
    code: 'var e={production:!0,api:"/api",area:"/v2"};var f="/files";export{e as a,f as b}',
  }
  const through = { name: 'shared.js', code: 'import{a as x}from"./settings.js";export{x as s}' }
  const page = {
    name: 'page.js',
    code: `import{a as t,b as u}from"./settings.js";class P{base=t.api+t.area;track(){return this.http.post(\`\${t.api}/track\`,{number:this.number})}
      all(){return this.http.get(this.base+"/orders")}file(n){return this.http.get(u+"/"+n)}}export{P as P}`,
  }
  const view = { name: 'view.js', code: 'import{s as y}from"./shared.js";fetch(y.api+"/baskets")' }
  const all = ['GET /api/baskets', 'GET /api/v2/orders', 'GET /files/1', 'POST /api/track json {"number":"1"}']
  for (const order of [
    [settings, through, page, view],
    [view, page, through, settings],
    [page, settings, view, through],
  ])
    expect(calledIn(...order)).toEqual(all)
})

it('what begins with the settings of a file that never comes is told in the end', () => {
  const scripts = createScripts()
  expect(scripts.add('import{a as t}from"./settings.js";fetch(t.api+"/baskets")', 'page.js')).toEqual([])
  expect(scripts.rest().map(({ address }) => address)).toEqual(['/baskets'])
  expect(scripts.rest()).toEqual([])
})

it('as a transpiler writes it for old browsers', () => {
  const { code } = minifySync(
    'a.js',
    `var Users = (function () {
      function Users(http) { _classCallCheck(this, Users); _defineProperty(this, 'root', '/api/users'); this.http = http }
      return _createClass(Users, [
        { key: 'find', value: function find(id) { return this.http.get(''.concat(this.root, '/').concat(id)) } },
        { key: 'login', value: function login(user) { var _this = this; return this.ready().then(function () { return _this.http.post(_this.root + '/login', _objectSpread(_objectSpread({}, user), {}, { remember: true })) }) } }
      ])
    })();
    var Page = (function () {
      function Page(users) { this.users = users; this.user = { email: '', password: '' } }
      Page.prototype.submit = function () { return _asyncToGenerator(regeneratorRuntime.mark(function e() { return regeneratorRuntime.wrap(function (n) { n.next = 2; return window.users.login(window.page.user) }) })) };
      Page.prototype.go = function () { return this.users.login(this.user) };
      return Page
    })();
    window.page = new Page(new Users(window.http))`,
  )
  expect(calledIn(code)).toEqual([
    'GET /api/users/1',
    expect.stringMatching(
      /^POST \/api\/users\/login json \{"email":"test@example.org","password":"Test-\d{4}","remember":true\}$/,
    ),
  ])
})
