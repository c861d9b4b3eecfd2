import { expect, it } from 'vitest'
import { calledIn } from './testing/lines.ts'

const SERVICE =
  'class Api{post(p,b){return this.http.post("/api"+p,b)}get(p,q={}){return this.http.get("/api"+p,{params:q})}}'
const USERS =
  'class Users{login(t){return this.http.post("/rest/login",t)}save(e,t){return this.http.put("/rest/users/"+e,t)}}'

it.each([
  [
    'a method of the same name around it',
    [`${SERVICE}class A{go(){this.api.post("/session",{email:e,code:"x"})}}`],
    ['POST /api/session json {"email":"test@example.org","code":"x"}'],
  ],
  [
    'its other methods, by the property that is known now',
    [`${SERVICE}class A{go(){this.api.get("/me");this.api.post("/x",{a:1});this.map.get("/y")}}`],
    ['GET /api/me', 'POST /api/x json {"a":1}'],
  ],
  [
    'a method for its first argument',
    ['const req=(m,u,d)=>axios({method:m,url:"/api"+u,data:d});req("PUT","/x",{a:1});req("GET","/y")'],
    ['GET /api/y', 'PUT /api/x json {"a":1}'],
  ],
  [
    'a name for a function',
    ['const api=(p,o)=>fetch(B+p,{method:"POST",body:JSON.stringify(o)});const B="/v1";api("/x",{a:1})'],
    ['POST /v1/x json {"a":1}'],
  ],
  [
    'a form of what is given, to which more is added',
    [
      'function post(a,d){var b=new URLSearchParams(d);b.append("action",a);return fetch("/ajax.php",{method:"POST",body:b})}post("price",{harbour:h.value,seats:2})',
    ],
    ['POST /ajax.php urlencoded {"harbour":"1","seats":"2","action":"price"}'],
  ],
  [
    'a query of what is given',
    ['const get=(p,q)=>fetch("/api"+p+"?"+new URLSearchParams(q));get("/x",{a:"1",b:"2"})'],
    ['GET /api/x?a=1&b=2'],
  ],
  [
    'settings handed on',
    [
      'function call(p,o={}){return fetch("/api"+p,{...o,headers:{"X-Area":"a"}})}call("/x",{method:"PATCH",body:JSON.stringify({a:1})});call("/y")',
    ],
    ['GET /api/y X-Area: a', 'PATCH /api/x json {"a":1} X-Area: a'],
  ],
  [
    'arguments taken apart',
    [
      'const r=({url:u,method:m="POST",data:d})=>fetch("/api"+u,{method:m,body:JSON.stringify(d)});r({url:"/x",data:{a:1}})',
    ],
    ['POST /api/x json {"a":1}'],
  ],
  [
    'a client of whom the file has the code',
    [
      'class H{request(e,t,n={}){return this.handler.handle(new R(e,t,n))}get(e,t={}){return this.request("GET",e,t)}delete(e,t={}){return this.request("DELETE",e,t)}}class A{web=new H;one(e){return this.web.get("/a",{params:e})}drop(e){return this.web.delete("/a/"+e)}}x.one({q:t})',
    ],
    ['DELETE /a/1', 'GET /a'],
  ],
  [
    'what the markup of a component calls',
    [
      `${SERVICE}class C{api=new Api;send(e){return this.api.post(e,{text:this.text})}static c=d({type:C,template:function(a,e){1&a&&l("click",function(){return e.send("/labels")})}})}`,
    ],
    ['POST /api/labels json {"text":"test"}'],
  ],
  [
    'what the markup of a component calls, beside its class',
    [
      `${SERVICE}let a=class a{constructor(){this.api=new Api}send(e){return this.api.post(e,{text:this.text})}};a.c=d({type:a,template:function(r,e){1&r&&l("click",function(){return e.send("/labels")})}})`,
    ],
    ['POST /api/labels json {"text":"test"}'],
  ],
  [
    'a body that is one of two, by what the caller gives',
    [
      'async function ask(m,u,d){const h={};let b;d instanceof FormData?b=d:d!==void 0&&(h["Content-Type"]="application/json",b=JSON.stringify(d));return fetch(u,{method:m,headers:h,body:b})}ask("PUT","/x",{a:1});ask("GET","/y");const f=new FormData;f.append("image",e.target.files[0]);ask("POST","/z",f)',
    ],
    ['GET /y', 'POST /z multipart {"image":""} files image', 'PUT /x json {"a":1}'],
  ],
  [
    'a name that holds another object in each branch',
    ['function go(m,p){let b;if(m)b={a:1};else b={a:2,c:p};return axios.post("/x",b)}'],
    ['POST /x json {"a":1}'],
  ],
  [
    'two requests of one function, of which one has a value or an empty text behind its address',
    [
      'const ask=(m,u,d)=>axios({method:m,url:u,data:d});const go=async e=>{await ask("GET","/a?q="+(e.q||""));return ask("POST","/b",{c:e.c})}',
    ],
    ['GET /a?q=', 'GET /a?q=1', 'POST /b json {"c":"1"}'],
  ],
  [
    'three deep',
    [
      'const a=(m,p,d)=>axios({url:"/api"+p,method:m,data:d});const b=(p,d)=>a("POST",p,d);const c=e=>b("/deep/"+e.id,e);c({id:3,name:"x"})',
    ],
    ['POST /api/deep/3 json {"id":3,"name":"x"}'],
  ],
  [
    'this of the same class, and of the one above',
    [
      `${SERVICE}class U extends Api{add(e){return this.post("/users",e)}}class V{constructor(){this.u=new U}go(){this.u.add({name:n})}}`,
    ],
    ['POST /api/users json {"name":"test"}'],
  ],
  [
    'a service whose caller alone names the fields',
    [`${USERS}class A{go(){this.users.login({email:this.e,password:"x"})}}`],
    ['POST /rest/login json {"email":"test@example.org","password":"x"}', 'PUT /rest/users/1'],
  ],
  [
    'in another file, before or after',
    ['class A{go(){this.users.save(this.id,{name:this.n})}}', USERS, 'class B{go(){this.users.login({email:this.e})}}'],
    [
      'POST /rest/login',
      'POST /rest/login json {"email":"test@example.org"}',
      'PUT /rest/users/1',
      'PUT /rest/users/1 json {"name":"test"}',
    ],
  ],
  [
    'a class that another chunk imports and has injected',
    [
      `${SERVICE.replace('Api', 'o')};export{o as a}`,
      'import{a as t}from"./0.js";import{b as i}from"./i.js";class C{s=i(t);go(){this.s.get("/list",{q:e})}}i(t).post("/y",{a:1})',
    ],
    ['GET /api/list?q=1', 'POST /api/y json {"a":1}'],
  ],
  [
    'a class that another chunk imports and makes',
    [
      `${SERVICE.replace('Api', 'o')};export{o as a}`,
      'import{a as t}from"./0.js";const u=new t;u.get("/list",{q:e});u.post("/y",{a:1})',
    ],
    ['GET /api/list?q=1', 'POST /api/y json {"a":1}'],
  ],
  [
    'a function that another chunk imports',
    [
      'const a=(e,t)=>fetch("/api"+e,{method:"PUT",body:JSON.stringify(t)});export{a as n}',
      'import{n as r}from"./0.js";r("/x",{a:1})',
    ],
    ['PUT /api/x json {"a":1}'],
  ],
  [
    'a client with settings of its own that other chunks import, before and after it',
    [
      'import{a as t}from"./1.js";t.post("orders",{q:e});const l=await t.get("/late")',
      'const c=x.create({baseURL:"/api/v3",headers:{"X-Area":"shop"}});export{c as a}',
      'import{a as t}from"./1.js";import{b as i}from"./1.js";const u={list:p=>t.get("/users",{params:p})};u.list({page:1});t({url:"/me",method:"post",data:{a:1}});i.get("users",{q:1})',
    ],
    [
      'GET /api/v3/late X-Area: shop',
      'GET /api/v3/users X-Area: shop',
      'GET /api/v3/users?page=1 X-Area: shop',
      'GET /late',
      'POST /api/v3/me json {"a":1} X-Area: shop',
      'POST /api/v3/orders json {"q":"1"} X-Area: shop',
    ],
  ],
  [
    'all of a chunk',
    ['const a=e=>fetch("/api"+e);export{a as list}', 'import*as r from"./0.js";r.list("/x")'],
    ['GET /api/x'],
  ],
  [
    'a function of the page',
    ['function save(e,t){return $.post("/things/"+e,{value:t})}', 'save(7,"x")'],
    ['POST /things/1 urlencoded {"value":"1"}', 'POST /things/7 urlencoded {"value":"x"}'],
  ],
  [
    'modules of a bundle in another file',
    [
      '(self.w=self.w||[]).push([[1],{11:(e,t,n)=>{n.d(t,{Z:()=>r});const r=(e,t)=>fetch("/api"+e,{method:"POST",body:JSON.stringify(t)})}}])',
      '(self.w=self.w||[]).push([[2],{22:(e,t,n)=>{var r=n(11);(0,r.Z)("/x",{a:1})}}])',
    ],
    ['POST /api/x json {"a":1}'],
  ],
  [
    'what takes any address stands for none by itself',
    [
      'const api=e=>fetch("/api"+e);class A{post(e,t){return this.http.post("/v1/"+e,t)}remove(e){return this.http.delete("/v1/"+e)}}',
    ],
    [],
  ],
  [
    'what takes a name in a path stands for itself',
    ['class A{one(e){return this.http.get("/users/"+e)}remove(e){return this.http.delete("/users/"+e)}}'],
    ['DELETE /users/1', 'GET /users/1'],
  ],
  [
    'the same name in several classes says nothing',
    ['class A{load2(e){return this.http.post("/a",e)}}class B{load2(e){return this.http.post("/b",e)}}x.load2({c:1})'],
    ['POST /a', 'POST /b'],
  ],
  [
    'names of collections and elements say nothing',
    [
      `class A{find(e){return this.http.post("/a",e)}append(e){return this.http.post("/b",e)}}list.find({c:1});node.append({d:1})`,
    ],
    ['POST /a', 'POST /b'],
  ],
  [
    'halves with one slash between them',
    ['class A{sendTo(e){return this.http.post("/v1/"+e,{})}}x.sendTo("/y");x.sendTo("z")'],
    ['POST /v1/z'],
  ],
])('%s', (_trick, files, expected) => {
  expect(calledIn(...files)).toEqual(expected)
})
