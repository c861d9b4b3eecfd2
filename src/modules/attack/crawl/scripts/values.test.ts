import { expect, it } from 'vitest'
import { endpointsOf } from '../scripts.ts'
import { calledIn } from './testing/lines.ts'

it.each([
  [
    'where a WebSocket is opened',
    'new WebSocket((location.protocol==="https:"?"wss://":"ws://")+location.host+"/a/ws");new WebSocket(`\x24{p}://\x24{h}/b`);new WebSocket(location.origin.replace(/^http/,"ws")+"/c");new WebSocket("wss://"+e+"/d?of=1")',
    ['GET /a/ws', 'GET /b', 'GET /c', 'GET /d?of=1'],
  ],
  [
    'each of a list that is gone through',
    'for(const k of ["a","b"]){el(k).onclick=async()=>{await fetch("/import/"+k,{method:"POST"})}}["c","d"].forEach(x=>fetch("/x/"+x));const l=["e","f"];l.map(x=>h("li",{onClick:()=>fetch(`/y/\x24{x}`)}))',
    ['GET /x/c', 'GET /x/d', 'GET /y/e', 'GET /y/f', 'POST /import/a', 'POST /import/b'],
  ],
  [
    'names, values and pairs of an object, and more of a list than of what may be either',
    'const t={a:"/one",b:"/two"};for(const k in t)fetch("/k/"+k);Object.keys(t).forEach(k=>fetch("/n/"+k));for(const [k,v] of Object.entries(t))fetch(v+"/"+k);Object.values(t).map(v=>fetch(v));for(const n of ["1a","2a","3a","4a","5a"])fetch("/m/"+n)',
    [
      ...['GET /k/a', 'GET /k/b', 'GET /m/1a', 'GET /m/2a', 'GET /m/3a', 'GET /m/4a', 'GET /m/5a', 'GET /n/a'],
      ...['GET /n/b', 'GET /one', 'GET /one/a', 'GET /two', 'GET /two/b'],
    ],
  ],
  [
    'of a list that nobody knows one',
    'for(const k of rows)fetch("/x/"+k);rows.forEach(r=>fetch("/y/"+r))',
    ['GET /x/1', 'GET /y/1'],
  ],
  [
    'a text made a number by its sign',
    'const n=+"3";axios.post("/x",{id:+this.$route.params.id,of:n,say:this.say})',
    ['POST /x json {"id":1,"of":3,"say":"1"}'],
  ],
  ['members of objects', 'const cfg={api:{root:"/v1"}};fetch(cfg.api.root+"/x")', ['GET /v1/x']],
  ['a frozen object', 'const c=Object.freeze({root:"/v1"});fetch(c.root+"/x")', ['GET /v1/x']],
  ['concat, as ES5 has templates', 'fetch("".concat(base,"/x/").concat(id)); const base="/v1"', ['GET /v1/x/1']],
  ['a joined list', 'const b="/v1";fetch([b,"x",id].join("/"))', ['GET /v1/x/1']],
  ['one or the other', 'fetch(a||"/x");fetch(c?"/a":"/b")', ['GET /a', 'GET /b', 'GET /x']],
  ['new URL under a base', 'fetch(new URL("/x",location.origin));fetch(new URL("y","/v1/"))', ['GET /v1/y', 'GET /x']],
  [
    'a query put into a URL',
    'const u=new URL("/x",location.href);u.searchParams.set("q",term);u.searchParams.set("n","2");fetch(u.toString())',
    ['GET /x?q=1&n=2'],
  ],
  ['new Request', 'fetch(new Request("/x",{method:"PUT",body:JSON.stringify({a:1})}))', ['PUT /x json {"a":1}']],
  ['what separates parameters', 'fetch("/x?a=1"+sep+"b="+v+sep+"c=2")', ['GET /x?a=1&b=1&c=2']],
  ['encoded values', 'fetch("/x/"+encodeURIComponent(id)+"/y")', ['GET /x/1/y']],
  ['a value at the end of a word may be empty', 'fetch("/items"+query);fetch("/x?"+query)', ['GET /items', 'GET /x']],
  [
    'fields of the nearest class',
    'class A{base="/api";host=this.base+"/users";one(e){return this.http.get(`\x24{this.host}/\x24{e}`)}}class B{base="/b";go(){fetch(this.base+"/x")}}',
    ['GET /api/users/1', 'GET /b/x'],
  ],
  ['set in the constructor', 'class A{constructor(){this.root="/api"}go(){fetch(this.root+"/x")}}', ['GET /api/x']],
  ['of the class above', 'class A{root="/api"}class B extends A{go(){fetch(this.root+"/x")}}', ['GET /api/x']],
  ['a getter', 'class A{get root(){return"/api"}go(){fetch(this.root+"/x")}}', ['GET /api/x']],
  [
    'ES5 with a prototype and another name for this',
    'var A=function(){function e(t){this.http=t,this.root="/old"}return e.prototype.list=function(){var t=this;return t.http.get(t.root+"/items")},e}()',
    ['GET /old/items'],
  ],
  [
    'helpers of transpilers',
    'var A=function(){function e(){_c(this,e),_d(this,"root","/api")}return _k(e,[{key:"go",value:function(){return fetch(this.root+"/x")}}]),e}()',
    ['GET /api/x'],
  ],
  [
    'a component whose parts share this',
    'const c={data(){return{root:"/api",user:{email:""}}},methods:{go(){axios.post("/api/session",this.user)}}}',
    ['POST /api/session json {"email":"test@example.org"}'],
  ],
  [
    'a base that nobody knows',
    'class A{base=env.url;go(){return this.http.get(this.base+"/rest/me")}}',
    ['GET /rest/me'],
  ],
  [
    'an origin that nobody knows',
    'fetch(location.protocol+"//"+location.host+"/x");fetch(`\x24{a}//\x24{b}:\x24{c}/y`)',
    ['GET /x', 'GET /y'],
  ],
  ['a base before anything but a slash', 'fetch(env.url+"users");fetch(e+t);fetch("https://"+host+"/x")', []],
  ['names only behind a base that nobody knows', 'fetch(`\x24{e}/\x24{t}`);fetch(`\x24{e}/\x24{t}/x`)', []],
  [
    'scopes',
    'const e="/a";function f(){const e="/b";fetch(e+"/x")}{let e="/c";fetch(e+"/y")}fetch(e+"/z")',
    ['GET /a/z', 'GET /b/x', 'GET /c/y'],
  ],
  [
    'a parameter is not the constant of its name',
    'const e="/a";function f(e){fetch(e+"/x")}function g({e:e}){fetch(e+"/y")}',
    ['GET /x', 'GET /y'],
  ],
  ['written twice', 'let e="/a";if(x)e="/b";fetch(e);let d="/d";d="/d";fetch(d)', ['GET /d']],
  ['counted, looped over, caught', 'let e="/a";e++;fetch(e);for(const t of list)fetch(t);try{}catch(t){fetch(t)}', []],
  ['declared after its use', 'f();function f(){fetch(root+"/x")}var root="/r"', ['GET /r/x']],
  [
    'of another function',
    'const at=e=>"/api/"+e;fetch(at("users"));function to(e,t){return`/v1/\x24{e}/\x24{t}`}fetch(to("a",id))',
    ['GET /api/users', 'GET /v1/a/1'],
  ],
  [
    'a client with a base',
    'const c=lib.create({baseURL:"/inst"});c.get("/things",{params:{a:1}});c.post("more",{b:2})',
    ['GET /inst/things?a=1', 'POST /inst/more json {"b":2}'],
  ],
  [
    'bundled modules',
    '(()=>{var m={11:(e,t,n)=>{n.d(t,{A:()=>r});const r={root:"/api"}},"./b.js":(e,t,n)=>{var r=n(11);fetch(r.A.root+"/x")}}})()',
    ['GET /api/x'],
  ],
])('%s', (_trick, code, expected) => {
  expect(calledIn(code)).toEqual(expected)
})

it('halves of a sum, and what a request is sent to, are no addresses of their own', () => {
  const code =
    'class A{go(e){return this.http.get(env.base+"/rest/me")}put(e){return this.http.put(`/things/\x24{e}`,{})}};"".concat("/half/",id)'
  expect(endpointsOf(code).map(({ method, address }) => `${method} ${address}`)).toEqual([
    'GET /rest/me',
    'PUT /things/1',
  ])
})

it.each([
  ['sums', `fetch(${Array.from({ length: 20_000 }, (_, index) => `"/a${index}"`).join('+')})`],
  ['calls', `x${'.a(1)'.repeat(20_000)}`],
  [
    'names that stand for each other',
    `var ${Array.from({ length: 3_000 }, (_, index) => `a${index}=a${index + 1}+a${index + 1}`).join(',')};fetch(a0)`,
  ],
  [
    'objects within objects',
    `${Array.from({ length: 200 }, (_, index) => `var o${index}={a:o${index + 1},b:o${index + 1}}`).join(';')};fetch("/x",{method:"POST",body:JSON.stringify(o0)})`,
  ],
  [
    'a name that holds itself',
    'var a={};a.a=a;a.b=a;class A{x=this.x+this.y;y=this.x;go(){fetch(this.x)}}fetch("/x",{method:"POST",body:JSON.stringify(a)})',
  ],
  [
    'functions that call each other',
    'function f(e,t){return g(e+"/f",t)}function g(e,t){fetch("/x"+e,{method:"POST",body:t});return f(e+"/g",t)}f("/a",{b:1})',
  ],
  [
    'thousands of callers',
    `const f=e=>fetch("/x"+e);${Array.from({ length: 20_000 }, (_, index) => `f("/${index}a")`).join(';')}`,
  ],
  [
    'thousands of wrappers of one name',
    `${Array.from({ length: 5_000 }, (_, index) => `class A${index}{send(e){return this.http.post("/a${index}/"+e,{})}}`).join(';')};x.send("y")`,
  ],
])('bounded: %s', (_trick, code) => {
  const began = process.cpuUsage()
  expect(calledIn(code).length).toBeLessThanOrEqual(1_000)
  const { user } = process.cpuUsage(began)
  expect(user / 1_000).toBeLessThan(8_000)
})

const LOAD = 'function load(h){$.get(h).done(show)}'
it.each([
  ['a text put behind', `${LOAD}function go(){var u="/list";u+="?a="+x();u+="&b="+y();load(u)}`, ['GET /list?a=1&b=1']],
  ['by its own name', `${LOAD}function go(){var u="list.php?a="+a;u=u+"&b="+b;load(u)}`, ['GET list.php?a=1&b=1']],
  [
    'a name that nobody has declared, in two functions',
    `${LOAD}function one(){u="/one";u+="?a="+a;load(u)}function two(){u="/two";u+="?b="+b;load(u)}`,
    ['GET /one?a=1', 'GET /two?b=1'],
  ],
  ['behind what a caller gives', 'function go(u){u+="&b=2";$.get(u)}go("/list?a="+a)', ['GET /list?a=1&b=2']],
  ['numbers', 'var n=0;n+=1;fetch("/x/"+n)', ['GET /x/1']],
  ['written anew meanwhile', 'var u="/a";u+="?x=1";u=other();fetch(u)', []],
  ['the page itself, asked for something else', '$.getJSON("?action=list&page="+p)', ['GET ?action=list&page=1']],
])('a text that is made longer: %s', (_name, code, expected) => {
  expect(calledIn(code)).toEqual(expected)
})
