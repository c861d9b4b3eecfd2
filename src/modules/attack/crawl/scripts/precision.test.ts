import { expect, it } from 'vitest'
import { calledIn } from './testing/lines.ts'

/** What a bundle has beside its requests: each row looks like one. */
it.each([
  [
    'tables of routers',
    'const r=[{path:"/users/:id",method:"GET",component:U},{path:"a/b",redirectTo:"/c"}];router.push("/users");router.get("/x",(q,s)=>s.end());nav.navigate(["/a",id])',
  ],
  [
    'keys of translations',
    'i18n.get("menu/open");this.translate.get("HOME.TITLE").subscribe(e=>e);t("errors.required");this.translations.get("/a/b")',
  ],
  [
    'Map, Set, WeakMap',
    'const m=new Map([["/a",1]]);m.get("/a");m.delete("/a");const s=new Set;s.delete("/b");new Map().get("/c");class A{cache=new Map;go(){return this.cache.get("/d")}}',
  ],
  [
    'Headers, parameters, forms',
    'const h=new Headers;h.get("/a");const p=new URLSearchParams(location.search);p.get("next");p.delete("/x");url.searchParams.get("/y");req.headers.get("/z")',
  ],
  [
    'storage',
    'localStorage.getItem("/a/b");sessionStorage.setItem("k","/v");caches.open("/v1").then(c=>c.delete("/old"));this.store.get("/k")',
  ],
  [
    'elements and events',
    'document.querySelector("a[href=/x]").getAttribute("/a");el.addEventListener("/a",f);el.setAttribute("href","a/b");$("#x").find("/y");$(el).data("post");$.get',
  ],
  [
    'state and forms of libraries',
    'this.form.get("user/name").value;control.get("/a");state.get("items/1");params.get("id");this.route.snapshot.paramMap.get("id")',
  ],
  [
    'immutable objects under any name',
    'var $=schema.get("items");$.get("enum");e.get("default");props.request.get("url")',
  ],
  [
    'words for methods',
    'log("POST","done");dispatch("DELETE",item);check("GET");emit("PUT","item");db.open("store","readwrite");window.open("/help","GET")',
  ],
  [
    'descriptions of no request',
    'define({type:"post",path:e});track({method:"GET",name:"/x"});register({url:"/a",type:"script"});draw({type:"get",label:"/x"})',
  ],
  [
    'locks and stores that have a request or a fetch of their own',
    'navigator.locks.request("name",f);store.fetch("items");collection.fetch("a/b");wake.request("screen");idb.request("readonly")',
  ],
  ['other schemes', 'fetch("data:text/plain,x");fetch("blob:"+id);fetch("chrome-extension://x/y")'],
  [
    'functions of the bundle that are called so',
    'function fetch(e){return e+1}function request(e,t){return t}fetch("/a");request("POST","/b");class A{get(e){return this[e]}post(e){return e}go(){this.get("/c");this.post("/d",{a:1})}}',
  ],
  [
    'a library of requests itself',
    'class X{get(e,t){return this.request("GET",e,t)}post(e,t,n){return this.request("POST",e,n)}request(e,t,n){return this.handler.handle(new R(e,t,n))}}["delete","get"].forEach(function(e){P[e]=function(t,n){return this.request(M(n||{},{method:e,url:t}))}})',
  ],
  ['programs in texts', 'const a="fetch(\'/x\')",b="POST /y HTTP/1.1",c=/\\/api\\/z/,d="</get>",e="//a.example/b"'],
])('%s: no request', (_trick, code) => {
  expect(calledIn(code)).toEqual([])
})
