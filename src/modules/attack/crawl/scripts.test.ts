import { expect, it } from 'vitest'
import { endpointsOf } from './scripts.ts'

const call = (method: string, address: string, body: object | null = null) => ({ method, address, body, called: true })
const json = (fields: object) => ({ encoding: 'json', fields })

it.each([
  ['fetch', "fetch('/api/a')", [call('GET', '/api/a')]],
  [
    'fetch with method and JSON',
    "fetch('/api/b',{method:'PUT',body:JSON.stringify({id:1,name:'x'})})",
    [call('PUT', '/api/b', json({ id: '1', name: 'x' }))],
  ],
  ['template with a computed part', 'fetch(`/api/item/$'.concat('{id}/parts`)'), [call('GET', '/api/item/1/parts')]],
  [
    'a constant in front',
    "const base='/api/v2'; fetch(base + '/list?page=' + page)",
    [{ method: 'GET', address: '/api/v2', body: null, called: false }, call('GET', '/api/v2/list?page=1')],
  ],
  ['XMLHttpRequest', "x.open('POST','/rpc',true)", [call('POST', '/rpc')]],
  ['axios by verb', "axios.post('/api/c',{q:'a'})", [call('POST', '/api/c', json({ q: 'a' }))]],
  ['axios by settings', "axios({url:'/api/d',method:'delete'})", [call('DELETE', '/api/d')]],
  [
    'jQuery',
    "$.getJSON('/feed.json'); $.ajax({url:'/ajax',type:'POST',data:{a:b}})",
    [call('GET', '/feed.json'), call('POST', '/ajax', json({ a: '1' }))],
  ],
  [
    'form body',
    "fetch('/f',{method:'POST',body:new URLSearchParams({a:'1'})})",
    [call('POST', '/f', { encoding: 'urlencoded', fields: { a: '1' } })],
  ],
  ['stream of events', "new EventSource('/live')", [call('GET', '/live')]],
  [
    'route table',
    "routes=[{path:'/settings/profile'},{path:'/a.css'}]",
    [{ method: 'GET', address: '/settings/profile', body: null, called: false }],
  ],
  ['no path: closing tag, comment, date', "a='</b>';b='//x';c='/';d='1/2/2024'", []],
  ['a map of methods is no client', "map.get('key'); cache.delete('a b')", []],
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
