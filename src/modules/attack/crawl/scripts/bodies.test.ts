import { expect, it } from 'vitest'
import { yieldOf } from '../pages.ts'
import { endpointsOf } from '../scripts.ts'
import { calledIn } from './testing/lines.ts'

it.each([
  [
    'what a server is told to call',
    'axios.post("/x",{dealer_api:e,orderWebhook:t,api_level:n})',
    ['POST /x json {"dealer_api":"https://example.org/","orderWebhook":"https://example.org/","api_level":"1"}'],
  ],
  ['a name for an object', 'const u={a:"x",n:2};axios.post("/x",u)', ['POST /x json {"a":"x","n":2}']],
  [
    'filled one by one',
    'const u={};u.email=f.a;u.code="x";axios.post("/x",u)',
    ['POST /x json {"email":"test@example.org","code":"x"}'],
  ],
  [
    'filled in a field of the class',
    'class A{user={};go(){this.user.email=this.mail;this.user.age=7;this.http.post("/x",this.user)}}',
    ['POST /x json {"email":"test@example.org","age":7}'],
  ],
  [
    'spread',
    'const d={a:1};axios.post("/x",{...d,b:2});axios.post("/y",Object.assign({},d,{c:3}))',
    ['POST /x json {"a":1,"b":2}', 'POST /y json {"a":1,"c":3}'],
  ],
  ['spread by a helper', 'const d={a:1};axios.post("/x",_s(_s({},d),{},{b:2}))', ['POST /x json {"a":1,"b":2}']],
  [
    'JSON of a name',
    'const o={a:{b:[1,t]}};fetch("/x",{method:"POST",body:JSON.stringify(o)})',
    ['POST /x json {"a":{"b":[1,"1"]}}'],
  ],
  [
    'numbers that it makes, and ids of several',
    'axios.patch("/x",{n:Number(t.n),m:parseInt(f.m,10),ids:p.value,userIds:f.u,did:s})',
    ['PATCH /x json {"n":1,"m":1,"ids":[1],"userIds":[1],"did":"1"}'],
  ],
  [
    'a form with a file',
    'const f=new FormData;f.append("title",t);f.append("doc",e.target.files[0]);fetch("/x",{method:"POST",body:f})',
    ['POST /x multipart {"title":"test","doc":""} files doc'],
  ],
  [
    'a file with its name, of the page',
    'const f=new window.FormData;f.append("what",blob,"a.png");axios.post("/x",f)',
    ['POST /x multipart {"what":""} files what'],
  ],
  [
    'parameters',
    'const p=new URLSearchParams;p.set("q",x);p.append("page","2");fetch("/x?"+p.toString());fetch("/y",{method:"POST",body:p})',
    ['GET /x?q=1&page=2', 'POST /y urlencoded {"q":"1","page":"2"}'],
  ],
  [
    'parameters of a library, which are written anew',
    'let p=new P;p=p.set("q",x);this.http.get("/x",{params:p});this.http.get("/y",{params:(new P).set("a","b").append("c",2)})',
    ['GET /x?q=1', 'GET /y?a=b&c=2'],
  ],
  ['parameters in a table', 'this.http.get("/x",{params:{q:t,sort:"name"}})', ['GET /x?q=1&sort=name']],
  [
    'controls stand for what is typed',
    'const f=new G({email:new C(""),age:new C(5)});this.http.post("/x",f.value);const g=fb.group({name:["",v.required],kind:["a"]});this.http.post("/y",g.getRawValue())',
    ['POST /x json {"email":"test@example.org","age":5}', 'POST /y json {"name":"test","kind":"a"}'],
  ],
  [
    'a state',
    'const[s,t]=(0,r.useState)({name:"",stars:5});axios.post("/x",s);const q=v({text:""});axios.post("/y",q.value)',
    ['POST /x json {"name":"test","stars":5}', 'POST /y json {"text":"test"}'],
  ],
  [
    'a field whose name the caller gives, and where it is sent',
    'async function up(to,name,e){const f=new FormData;f.append(name,e.target.files[0]);await axios.post(to,f)}up("/photos","archive",e);up("/papers","doc",e);up("/none",n,e)',
    [
      'POST /none',
      'POST /papers multipart {"doc":""} files doc',
      'POST /photos multipart {"archive":""} files archive',
    ],
  ],
  [
    'what stands in a field before anybody changes it',
    'class A{stars=5;city="";go(){this.http.post("/x",{stars:this.stars,city:this.city})}set(e){this.stars=e}}',
    ['POST /x json {"stars":5,"city":"1"}'],
  ],
  [
    'what a method returns',
    'class A{lines(){return[{id:1,n:2}]}go(){this.http.post("/x",{items:this.lines()})}}',
    ['POST /x json {"items":[{"id":1,"n":2}]}'],
  ],
  ['a text that is a form', 'fetch("/x",{method:"POST",body:"a=1&b=two"})', ['POST /x urlencoded {"a":"1","b":"two"}']],
  [
    'headers in an object of their own',
    'fetch("/x",{method:"PUT",headers:new Headers({"X-Area":"shop","X-Token":"t"}),body:JSON.stringify({a:1})})',
    ['PUT /x json {"a":1} X-Area: shop'],
  ],
  [
    'GraphQL',
    'fetch("/graphql",{method:"POST",body:JSON.stringify({query:`query Me($id: ID!){me(id:$id){name}}`,variables:{id:i}})})',
    ['POST /graphql json {"query":"query Me($id: ID!){me(id:$id){name}}","variables":{"id":"1"}}'],
  ],
  ['whatever is no plain object', 'axios.post("/x",document.body);axios.post("/y",new Date)', ['POST /x', 'POST /y']],
])('%s', (_trick, code, expected) => {
  expect(calledIn(code)).toEqual(expected)
})

it('a password is an example that differs by where it is sent', () => {
  const [one, other] = calledIn('axios.post("/a",{password:p});axios.post("/b",{password:p})')
  expect(one).toMatch(/^POST \/a json \{"password":"Test-\d{4}"\}$/)
  expect(other?.replace('/b', '/a')).not.toBe(one)
})

it('a file is a field of its type in the request that is listed', () => {
  const found = yieldOf(
    endpointsOf(
      'const f=new FormData;f.append("a","b");f.append("c",e.files[0]);axios.post("/x",f,{headers:{"X-Area":"s"}})',
    ),
    'https://a.example/',
    'https://a.example/',
  )
  expect(found.requests).toMatchObject([
    {
      ...{ method: 'POST', url: 'https://a.example/x', encoding: 'multipart', headers: [['X-Area', 's']] },
      fields: [
        { name: 'a', value: 'b', type: 'text' },
        { name: 'c', value: '', type: 'file' },
      ],
    },
  ])
})

it.each([
  [
    'put together for jQuery',
    '$.ajax({url:"/x",type:"POST",data:"name="+n+"&page=2"})',
    ['POST /x urlencoded {"name":"test","page":"2"}'],
  ],
  ['its second argument', '$.post("/x","a="+encodeURIComponent(a)+"&b="+b)', ['POST /x urlencoded {"a":"1","b":"1"}']],
  ['behind what a form holds', '$.post("/x",$("#f").serialize()+"&page="+p)', ['POST /x urlencoded {"page":"1"}']],
  ['of fetch', 'fetch("/x",{method:"POST",body:`a=\x24{a}&b=2`})', ['POST /x urlencoded {"a":"1","b":"2"}']],
  [
    'of XMLHttpRequest',
    'var r=new XMLHttpRequest();r.open("POST","/x");r.send("a="+a+"&b=2")',
    ['POST /x urlencoded {"a":"1","b":"2"}'],
  ],
  [
    'JSON of XMLHttpRequest',
    'var r=new XMLHttpRequest();r.open("POST","/x");r.send(JSON.stringify({a:1}))',
    ['POST /x json {"a":1}'],
  ],
  ['in the query of what reads', '$.ajax({url:"/x",data:"q="+q})', ['GET /x?q=1']],
  [
    'lists and objects of jQuery',
    '$.post("/x",{ids:[1,2],filter:{kind:"tent"},empty:[]})',
    ['POST /x urlencoded {"ids[]":"2","filter[kind]":"tent"}'],
  ],
  ['another text', 'fetch("/x",{method:"POST",body:"Hello "+name})', ['POST /x']],
])('a body that is put together as a text: %s', (_name, code, expected) => {
  expect(calledIn(code)).toEqual(expected)
})

it('headers that XMLHttpRequest is given by name are those of its request', () => {
  const code =
    'function go(n){var r=new XMLHttpRequest();r.open("POST","/x");r.setRequestHeader("Tenant","north");r.setRequestHeader(n,"1");r.setRequestHeader("Content-Type","application/x-www-form-urlencoded");r.send("a=1")};var r=new XMLHttpRequest();r.open("GET","/y")'
  const { requests } = yieldOf(endpointsOf(code), 'https://a.example/', 'https://a.example/')
  expect(requests.find(({ url }) => url.endsWith('/x'))).toMatchObject({
    encoding: 'urlencoded',
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Tenant', 'north'],
    ],
  })
  expect(requests.find(({ url }) => url.endsWith('/y'))?.headers ?? []).toEqual([])
})

const posted = (type: string, body: string): string =>
  `const h={"Content-Type":"${type}"};const f=b=>fetch("/x",{method:"POST",headers:Object.assign(h,own()),body:${body}})`

it.each([
  [
    'XML that stands there for a caller who gives none',
    'application/xml',
    'b||"<a><b>2</b></a>"',
    'xml <a><b>2</b></a>',
  ],
  ['XML of an envelope', 'application/soap+xml; charset=utf-8', '"<e/>"', 'xml <e/>'],
  ['XML that nobody can tell', 'text/xml', 'b', 'xml <data>1</data>'],
  ['XML of which a part is put in', 'text/xml', '"<a id=\\"2\\"><b>"+m[1]+"</b></a>"', 'xml <a id="2"><b>1</b></a>'],
  ['a part alone', 'text/xml', '""+m[1]', 'xml <data>1</data>'],
  ['YAML', 'application/x-yaml', '"rows: 20"', 'text rows: 20'],
  ['YAML that nobody can tell', 'text/yaml', 'b', 'text data: 1\n'],
])('a body that is a document by its media type: %s', (_name, type, body, expected) => {
  expect(calledIn(posted(type, body))).toEqual([`POST /x ${expected}`])
})

it('jQuery is told the media type beside the header lines', () => {
  const code = '$.ajax({url:"/x",type:"POST",contentType:"text/xml",data:"<a><b>"+n+"</b></a>",dataType:"xml"})'
  expect(calledIn(code)).toEqual(['POST /x xml <a><b>1</b></a>'])
  const form = '$.ajax({url:"/x",type:"POST",contentType:false,data:{a:1}})'
  expect(calledIn(form)).toEqual(['POST /x urlencoded {"a":"1"}'])
})

it('sends a document with its media type', () => {
  const { requests } = yieldOf(
    endpointsOf(posted('application/x-yaml', '"rows: 20"')),
    'https://a.example/',
    'https://a.example/',
  )
  expect(requests).toMatchObject([
    { encoding: 'text', fields: [], body: 'rows: 20', headers: [['Content-Type', 'application/x-yaml']] },
  ])
})

it('takes what stands there for a caller who gives nothing, in JSON too', () => {
  const code = 'const f=(a,b)=>axios.post("/x",{to:a||"https://b.example/hook",n:b||2})'
  expect(calledIn(code)).toEqual(['POST /x json {"to":"https://b.example/hook","n":2}'])
})
