/** Cookies and storage: set before any choice, kept too long, or an innocent basket. */
import { banner, load, ping } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

const GA = load('https://www.googletagmanager.com/gtag/js?id=G-GARDEN')
const GTAG =
  "window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-GARDEN');"

export const COOKIES: readonly PrivacyPage[] = [
  {
    name: 'cookie-early',
    shows: 'a script of its own sets _ga and _fbp before any choice',
    must: ['cookie-before-consent'],
    body:
      "<script>document.cookie='_ga=GA1.1.'+Math.floor(1e9*Math.random())+'.1700000000; Max-Age=31536000; Path=/';document.cookie='_fbp=fb.1.1700000000000.'+Math.floor(1e9*Math.random())+'; Max-Age=7776000; Path=/'</script>" +
      banner(),
  },
  {
    name: 'cookie-early-http',
    shows: 'the response itself sets a marketing cookie before any choice',
    must: ['cookie-before-consent'],
    headers: [['Set-Cookie', '_gcl_au=1.1.1234567890.1700000000; Max-Age=7776000; Path=/; Secure']],
    body: banner(),
  },
  {
    name: 'cookie-basket',
    shows: 'twin: a session, a basket, a language and the choice itself need no consent',
    must: [],
    headers: [
      ['Set-Cookie', 'PHPSESSID=f2c7e1b09d8a4c6e; Path=/; Secure; HttpOnly; SameSite=Lax'],
      ['Set-Cookie', 'lang=en; Max-Age=2592000; Path=/; Secure; SameSite=Lax'],
    ],
    body: banner(),
  },
  {
    name: 'cookie-after-accept',
    shows: 'twin: analytics starts when the visitor agrees, and never before',
    must: [],
    names: ['Google Analytics (Google Ireland Limited)'],
    body: banner({ onAccept: `${GTAG}${GA}` }),
  },
  {
    name: 'cookie-three-years',
    shows: 'after agreeing, a cookie for three years',
    must: ['cookie-lifetime'],
    names: ['Matomo'],
    body: banner({
      onAccept:
        "document.cookie='_pk_id.1.abcd=0123456789abcdef.1700000000; Max-Age=94608000; Path=/; Secure; SameSite=Lax'",
    }),
  },
  {
    name: 'cookie-one-year',
    shows: 'twin: after agreeing, a cookie for twelve months',
    must: [],
    names: ['Matomo'],
    body: banner({
      onAccept:
        "document.cookie='_pk_id.1.abcd=0123456789abcdef.1700000000; Max-Age=31536000; Path=/; Secure; SameSite=Lax'",
    }),
  },
  {
    name: 'storage-id-sent',
    shows: 'an identifier in localStorage goes to a third party',
    must: ['storage-identifier'],
    body: `<script>const id=localStorage.getItem('mf_uid')||crypto.randomUUID();localStorage.setItem('mf_uid',id);new Image().src='https://px.metricsfarm.test/collect?u='+id</script>${banner()}`,
  },
  {
    name: 'storage-preferences',
    shows: 'twin: what is kept in localStorage is a preference and a build number, and stays here',
    must: [],
    body: `<script>localStorage.setItem('theme','dark');localStorage.setItem('build','3f9a8c1d2e4b5a6978c0d1e2f3a4b5c6');localStorage.setItem('cart',JSON.stringify({items:[{sku:'spade',n:1}]}))</script>
<img src="https://cdn.assets-depot.test/pic.gif?v=3f9a8c1d2e4b5a6978c0d1e2f3a4b5c6" alt="">${banner()}`,
  },
  {
    name: 'storage-indexeddb-sent',
    shows: 'an identifier in IndexedDB goes to a third party',
    must: ['storage-identifier'],
    body: `<script>const open=indexedDB.open('mf',1);open.onupgradeneeded=()=>open.result.createObjectStore('ids');open.onsuccess=()=>{const s=open.result.transaction('ids','readwrite').objectStore('ids'),get=s.get('uid');get.onsuccess=()=>{const id=get.result||crypto.randomUUID();s.put(id,'uid');new Image().src='https://px.metricsfarm.test/collect?u='+id}}</script>${banner()}`,
  },
  {
    name: 'tracker-unknown-cookie',
    shows: 'a third party that no table knows sets an identifier of its own before any choice',
    must: ['cookie-purpose-unknown'],
    body: `<script>${ping('https://px.metricsfarm.test/p.gif')}</script>${banner()}`,
  },
  {
    name: 'cdn-plain',
    shows: 'twin: a third party serves a library and a picture, without cookies',
    must: [],
    head: '<script src="https://cdn.assets-depot.test/lib.js"></script>',
    body: `<img src="https://cdn.assets-depot.test/pic.gif" alt="">${banner()}`,
  },
]
