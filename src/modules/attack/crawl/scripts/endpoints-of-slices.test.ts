import { expect, it } from 'vitest'
import { calledIn } from './testing/lines.ts'

const ENDPOINTS =
  'endpoints:b=>({one:b.query({query:e=>"/boats/"+e,providesTags:["b"]}),all:b.query({query:({page:e,harbour:t})=>({url:"boats",params:{page:e,harbour:t}})}),add:b.mutation({query:e=>({url:"/boats",method:"POST",body:{name:e.name,berths:2}})})})'
const ASKED = [
  'GET /api/v1/boats/1',
  'GET /api/v1/boats?page=1&harbour=1',
  'POST /api/v1/boats json {"name":"test","berths":2}',
]

it.each([
  [
    'an interface',
    [`const a=createApi({reducerPath:"api",baseQuery:fetchBaseQuery({baseUrl:"/api/v1"}),${ENDPOINTS}})`],
  ],
  [
    'one whose function begins a lost session anew',
    [
      `const q=r({baseUrl:"/api/v1"});const w=async(e,t,n)=>{let i=await q(e,t,n);return i};const a=c({baseQuery:w,${ENDPOINTS}})`,
    ],
  ],
  [
    'one that other files add to',
    [
      'const a=c({baseQuery:r({baseUrl:"/api/v1"}),endpoints:()=>({})});export{a as t}',
      `import{t as a}from"./0.js";const b=a.injectEndpoints({${ENDPOINTS}})`,
    ],
  ],
])('%s declares what it asks', (_name, files) => {
  expect(calledIn(...files)).toEqual(ASKED)
})

it('a query of something else is none', () => {
  expect(calledIn('db.query({text:"select"});client.query({query:DOCUMENT});b.query({query:e=>e.name})')).toEqual([])
})
