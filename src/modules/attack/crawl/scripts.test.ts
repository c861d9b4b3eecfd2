import { expect, it } from 'vitest'
import { readPage } from './pages.ts'
import { createScripts, endpointsOf } from './scripts.ts'

const call = (method: string, address: string, body: object | null = null) => ({ method, address, body, called: true })
const json = (fields: object, whole: object) => ({ encoding: 'json', fields, json: JSON.stringify(whole) })
const form = (fields: object) => ({ encoding: 'urlencoded', fields })
const plain = (address: string) => ({ method: 'GET', address, body: null, called: false })

it.each([
  ['fetch', "fetch('/api/a')", [call('GET', '/api/a')]],
  [
    'fetch with method and JSON',
    "fetch('/api/b',{method:'PUT',body:JSON.stringify({id:1,name:'x'})})",
    [call('PUT', '/api/b', json({ id: '1', name: 'x' }, { id: 1, name: 'x' }))],
  ],
  [
    'JSON with more JSON within',
    "fetch('/api/e',{method:'POST',body:JSON.stringify({n:10,on:true,by:null,of:{sort:'price',q:typed},tags:['a',tag]})})",
    [
      call(
        'POST',
        '/api/e',
        json(
          { n: '1', on: '1', by: '1', of: '1', tags: '1' },
          { n: 10, on: true, by: null, of: { sort: 'price', q: '1' }, tags: ['a', '1'] },
        ),
      ),
    ],
  ],
  ['template with a computed part', 'fetch(`/api/item/$'.concat('{id}/parts`)'), [call('GET', '/api/item/1/parts')]],
  [
    'a constant in front',
    "const base='/api/v2'; fetch(base + '/list?page=' + page)",
    [{ method: 'GET', address: '/api/v2', body: null, called: false }, call('GET', '/api/v2/list?page=1')],
  ],
  [
    'markup that a build keeps as one text, with another address within a query',
    `const s=h('<footer><a href="/terms?lang=en&amp;of=1">T</a> <a href="/leave?to=https://blog.shop.example/a">B</a><img src="/i.png"></footer>')`,
    [plain('/terms?lang=en&of=1'), plain('/leave?to=https://blog.shop.example/a')],
  ],
  ['a table of routes', "const routes = { '/about/us': About, name: 'x' }", [plain('/about/us')]],
  ['XMLHttpRequest', "x.open('POST','/rpc',true)", [call('POST', '/rpc')]],
  ['axios by verb', "axios.post('/api/c',{q:'a'})", [call('POST', '/api/c', json({ q: 'a' }, { q: 'a' }))]],
  ['axios by settings', "axios({url:'/api/d',method:'delete'})", [call('DELETE', '/api/d')]],
  [
    'jQuery',
    "$.getJSON('/feed.json'); $.ajax({url:'/ajax',type:'POST',data:{a:b}})",
    [call('GET', '/feed.json'), call('POST', '/ajax', form({ a: '1' }))],
  ],
  [
    'form body',
    "fetch('/f',{method:'POST',body:new URLSearchParams({a:'1'})})",
    [call('POST', '/f', { encoding: 'urlencoded', fields: { a: '1' } })],
  ],
  [
    'a function of its own',
    "api('POST','/api/g',{q:typed}); send('/api/h','PUT'); api('GET','/api/i?x=' + x); log('POST', 'done')",
    [call('POST', '/api/g', json({ q: '1' }, { q: '1' })), call('PUT', '/api/h'), call('GET', '/api/i?x=1')],
  ],
  ['stream of events', "new EventSource('/live')", [call('GET', '/live')]],
  [
    'route table',
    "routes=[{path:'/settings/profile'},{path:'/a.css'}]",
    [{ method: 'GET', address: '/settings/profile', body: null, called: false }],
  ],
  ['no path: closing tag, comment, date', "a='</b>';b='//x';c='/';d='1/2/2024'", []],
  ['a map of methods is no client', "map.get('key'); cache.delete('a b')", []],
  ['jQuery with values in the query', "$.get('/find',{q:'a'})", [call('GET', '/find?q=a')]],
  ['jQuery that posts', "$.post('/vote',{id:7})", [call('POST', '/vote', form({ id: '7' }))]],
  [
    'axios with a base, parameters and headers',
    "axios({baseURL:'/api',url:'/list',params:{of:'x'},headers:{'X-Area':'shop','X-Token':'t'}})",
    [plain('/api'), plain('/list'), { ...call('GET', '/api/list?of=x'), headers: [['X-Area', 'shop']] }],
  ],
  [
    'where a script sends somebody',
    "location.href='item.php?id='+id; window.location.assign('./next'); frame.src='inner.html'; x.src='a.js'",
    [plain('item.php?id=1'), plain('./next'), plain('inner.html')],
  ],
  [
    'code that does not parse',
    "const x: string = '/typed/path' as any;;; }{",
    [{ method: 'GET', address: '/typed/path', body: null, called: false }],
  ],
])('%s', (_name, code, expected) => {
  expect(endpointsOf(code)).toEqual(expected)
})

it('is bounded: nested a hundred thousand deep, and a megabyte of paths', () => {
  expect(endpointsOf('('.repeat(100_000))).toEqual([])
  expect(endpointsOf(Array.from({ length: 50_000 }, (_, index) => `'/p/${index}'`).join(';'))).toHaveLength(200)
})

it('one address is for many things where the body says what is to be done', () => {
  const code = `const u = '/ajax.php'
    $.post(u, { action: 'like', id: row.id }); $.post(u, { action: 'like', id: other })
    $.post(u, { action: 'quote', days: n }); $.post(u, { page: n, action: verb })
    $.post(u, { days: m, action: verb }); send = (data) => $.post(u, data)`
  expect(endpointsOf(code).map(({ method, body }) => `${method} ${JSON.stringify(body?.fields)}`)).toEqual([
    'POST {"action":"like","id":"1"}',
    'POST {"action":"quote","days":"1"}',
    'POST {"page":"1","action":"1"}',
  ])
})

it.each([
  ['in words', '// the desk shows its settings at /api/desk/settings.\nlet a = 1', ['/api/desk/settings']],
  ['in quotes', '/* call("/old") or `/older/one?a=1` */', ['/old', '/older/one?a=1']],
  ['beside code that is read', "fetch('/api/a') // then /api/b/c", ['/api/b/c']],
  [
    'no address of the site',
    '/* @see https://a.example/b/c, /home/me/x/y, /src/app/main, and/or, 1/2/3, a /x/y.ts, <b/c> // /d */',
    [],
  ],
])('paths in comments: %s', (_name, code, expected) => {
  expect(
    endpointsOf(code)
      .filter(({ called }) => !called)
      .map(({ address }) => address),
  ).toEqual(expected)
})

it('paths in comments of markup', () => {
  const { links } = readPage('<p>x</p><!-- <a href="/old">x</a>, moved to /new/place -->', 'https://a.example/')
  expect(new Set(links.map(({ url }) => url))).toEqual(
    new Set(['https://a.example/old', 'https://a.example/new/place']),
  )
})

it('of a source that does not parse what the file built from it has as well is told there', () => {
  const scripts = createScripts()
  const built = 'const a=e=>fetch("/api"+e,{method:"POST"});a("/orders");b("/late")'
  scripts.add(built, '/a.js')
  const source = `const save: Save = () => api<Order>("/orders"); const other = <Page to="/help/pages" />`
  expect(scripts.add(source, 'a.tsx', built).map(({ address }) => address)).toEqual(['/help/pages'])
})
