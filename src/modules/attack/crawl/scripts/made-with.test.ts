import { expect, it } from 'vitest'
import { madeWith } from './given.ts'
import { calledIn } from './testing/lines.ts'
import type { Value } from './value.ts'

const CLIENTS =
  'const c=axios.create();const of=b=>({get:(p,q)=>c.get(b+p,{params:q}).then(f),post:(p,d)=>c.post(b+p,d)});const a=of("/stock"),z=of("/staff");'
const CLASS =
  'class Api{constructor(b,v="1"){this.base=b}read(p){return fetch(this.base+p)}write(p,d){return fetch(this.base+p,{method:"POST",body:JSON.stringify(d)})}}'

it.each([
  [
    'objects of one function for several services',
    [`${CLIENTS}a.get("/x",{q:1});z.post("/y",{k:2})`],
    ['GET /stock/x?q=1', 'POST /staff/y json {"k":2}'],
  ],
  [
    'the same in a file of its own',
    [
      `${CLIENTS}export{a as q,z as r}`,
      'import{q as t,r as u}from"./0.js";t.get("/x",{q:1}).then(f);u.post("/y",{k:2})',
    ],
    ['GET /stock/x?q=1', 'POST /staff/y json {"k":2}'],
  ],
  [
    'which is read last',
    [
      { name: '1.js', code: 'import{q as t,r as u}from"./0.js";t.get("/x",{q:1}).then(f);u.post("/y",{k:2})' },
      { name: '0.js', code: `${CLIENTS}export{a as q,z as r}` },
    ],
    ['GET /stock/x?q=1', 'GET /x', 'POST /staff/y json {"k":2}', 'POST /y json {"k":2}'],
  ],
  [
    'objects of a class',
    [`${CLASS}const a=new Api("/stock"),z=new Api("/staff");a.read("/x");z.write("/y",{k:1})`],
    ['GET /stock/x', 'POST /staff/y json {"k":1}'],
  ],
  [
    'of a class of another file',
    [`${CLASS}export{Api as A};export const s=new Api("/stock")`, 'import{s as t}from"./0.js";t.write("/y",{k:1})'],
    ['POST /stock/y json {"k":1}'],
  ],
  [
    'a class that hands its part to the one above',
    [
      `${CLASS}class Users extends Api{constructor(){super("/users")}all(){return this.read("/all")}add(d){return this.write("",d)}}class Shops extends Api{constructor(){super("/shops")}one(i){return this.read("/"+i)}}new Users().add({name:"a"});new Shops().one("7")`,
    ],
    ['GET /shops/7', 'GET /users/all', 'POST /users json {"name":"a"}'],
  ],
  [
    'a field of a class that is a client',
    [
      `${CLASS}class Store{constructor(){this.http=new Api("/stock")}load(i){return this.http.read("/"+i)}}new Store().load("3")`,
    ],
    ['GET /stock/3'],
  ],
  [
    'a function for each method',
    [
      'const call=m=>(u,d)=>axios({method:m,url:"/api"+u,data:d});const get=call("GET"),post=call("POST");get("/x");post("/y",{k:1})',
    ],
    ['GET /api/x', 'POST /api/y json {"k":1}'],
  ],
  [
    'a function for each folder',
    ['const api=b=>p=>fetch(b+p);const u=api("/users"),o=api("/orders");u("/1");o("/2")'],
    ['GET /orders/2', 'GET /users/1'],
  ],
])('%s', (_name, files, expected) => {
  expect(calledIn(...files)).toEqual(expected)
})

it('a client without settings is told by its requests', () => {
  expect(calledIn('const m=Model.create();m.get("name");m.get("key",1)')).toEqual([])
})

it('of a large object a few functions remember what it was made with: a page may hold any number of calls', () => {
  const of = (at: number): Value => ({ kind: 'fn', fn: { id: at } as never })
  const entries = Array.from({ length: 200 }, (_, at) => [`k${at}`, of(at)] as const)
  const made = madeWith({ kind: 'object', entries, rest: [] }, [{ fn: 1, values: [] }])
  const copied = made.kind === 'object' ? made.entries.filter(([, one], at) => one !== entries[at]?.[1]) : []
  expect(copied.length).toBeGreaterThan(20)
  expect(copied.length).toBeLessThan(100)
})
