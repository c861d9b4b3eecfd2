import { expect, it } from 'vitest'
import { routesIn } from './route-tables.ts'

it.each([
  [
    'Angular',
    'a=[{path:"",pathMatch:"full",redirectTo:"list"},{path:"list",loadComponent:()=>b()},{path:"help/:topic",canActivate:[c],loadComponent:()=>d()},{path:"**",redirectTo:"list"}]',
    ['/list', '/help/1'],
  ],
  ['Vue', "routes:[{path:'/board',name:'board',component:x},{path:'/board/:id',component:y}]", ['/board', '/board/1']],
  ['React', 'r([{path:"desk",element:n(e,{})},{path:"desk/old",lazy:()=>m()}])', ['/desk', '/desk/old']],
  ['no table', 'document.cookie=s("a",{path:"/shop",maxAge:3});open({path:"file"})', []],
])('%s', (_, code, routes) => expect(routesIn(code)).toEqual(routes))
