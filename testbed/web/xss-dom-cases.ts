/** Pages whose own scripts make markup, code or addresses out of what an attacker can put before them. */
import { page, type WebCase } from './case.ts'

interface Scripts {
  readonly name: string
  readonly careless: string
  readonly careful: string
  readonly finds?: string
  /** The parameter that they read. */
  readonly reads?: string
  /** A library that the page loads. */
  readonly library?: string
}

const OUT = 'document.getElementById("out")'
const HASH = 'const v = decodeURIComponent(location.hash.slice(1)); '
const PARAM = 'const v = new URLSearchParams(location.search).get("q") || "tent"; '
const RAW_PARAM = 'const v = decodeURIComponent((/[?&]note=([^&]*)/.exec(location.search) || [])[1] || ""); '
const ALLOWED = 'if (e.origin !== location.origin) return; '

const after =
  (start: string) =>
  ({ careless, careful, ...rest }: Scripts): Scripts => ({
    ...rest,
    careless: start + careless,
    careful: start + careful,
  })

const FRAGMENTS: readonly Scripts[] = [
  { name: 'markup', careless: `${OUT}.innerHTML = v`, careful: `${OUT}.textContent = v` },
  { name: 'write', careless: 'document.write(v)', careful: 'document.body.append(v)' },
  {
    name: 'address',
    careless: 'if (v) location.href = v',
    careful: 'if (v.startsWith("/")) document.body.dataset.next = v',
  },
  {
    name: 'attribute',
    careless: `${OUT}.innerHTML = '<img alt="' + v + '" src="/none">'`,
    careful: `const i = new Image(); i.alt = v; ${OUT}.append(i)`,
  },
  {
    name: 'adjacent',
    careless: `${OUT}.insertAdjacentHTML("beforeend", "<b>" + v + "</b>")`,
    careful: `${OUT}.append(v)`,
  },
  {
    name: 'range',
    careless: `${OUT}.append(document.createRange().createContextualFragment(v))`,
    careful: `${OUT}.append(document.createTextNode(v))`,
  },
  {
    name: 'srcdoc',
    careless: 'const f = document.createElement("iframe"); f.srcdoc = v; document.body.append(f)',
    careful: 'const f = document.createElement("iframe"); f.sandbox = ""; f.title = v; document.body.append(f)',
  },
  { name: 'eval', careless: 'eval("var state = \'" + v + "\'")', careful: 'var state = JSON.stringify(v)' },
  { name: 'eval-number', careless: 'if (v) eval("var page = " + v)', careful: 'var page = Number(v) || 1' },
  { name: 'function', careless: 'new Function("return \\"" + v + "\\"")()', careful: 'String(v)' },
  {
    name: 'timer',
    careless: 'setTimeout("show(\'" + v + "\')", 10); function show() {}',
    careful: 'setTimeout(show, 10, v); function show() {}',
  },
  {
    name: 'script-address',
    careless: 'if (v) { const s = document.createElement("script"); s.src = v; document.head.append(s) }',
    careful: 'if (v === "/none.js") { const s = document.createElement("script"); s.src = v; document.head.append(s) }',
  },
  {
    name: 'frame-address',
    careless: 'if (v) { const f = document.createElement("iframe"); f.src = v; document.body.append(f) }',
    careful: 'if (/^https?:/.test(v)) document.body.dataset.frame = v',
  },
  {
    name: 'handler',
    careless:
      'const i = document.createElement("img"); i.setAttribute("onerror", "log(\'" + v + "\')"); i.src = "/none"; document.body.append(i); function log() {}',
    careful:
      'const i = document.createElement("img"); i.onerror = () => log(v); i.src = "/none"; document.body.append(i); function log() {}',
  },
  {
    name: 'link',
    finds: 'xss/dom-click',
    careless:
      'const a = document.createElement("a"); a.textContent = "Back"; a.href = v || "/"; document.body.append(a)',
    careful:
      'const a = document.createElement("a"); a.textContent = "Back"; a.href = v.startsWith("/") ? v : "/"; document.body.append(a)',
  },
  {
    name: 'redirect',
    finds: 'xss/open-redirect',
    careless: 'if (/^https?:/.test(v)) location.replace(v)',
    careful: 'if (/^https?:/.test(v) && new URL(v).origin === location.origin) location.replace(v)',
  },
  { name: 'jquery', library: 'jquery', careless: '$("#out").html(v)', careful: '$("#out").text(v)' },
  {
    name: 'shadow',
    careless: `${OUT}.attachShadow({ mode: "open" }).innerHTML = "<p>" + v + "</p>"`,
    careful: `${OUT}.attachShadow({ mode: "open" }).append(v)`,
  },
].map(after(HASH))

const OTHERS: readonly Scripts[] = [
  after(PARAM)({
    name: 'query',
    reads: 'q',
    careless: `${OUT}.innerHTML = "Results for " + v`,
    careful: `${OUT}.textContent = v`,
  }),
  after(PARAM)({
    name: 'query-escaped-by-hand',
    reads: 'q',
    careless: `${OUT}.innerHTML = '<a title="' + v.replace(/</g, "&lt;") + '">x</a>'`,
    careful: `${OUT}.innerHTML = '<a title="' + v.replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";") + '">x</a>'`,
  }),
  after(RAW_PARAM)({
    name: 'query-by-hand',
    reads: 'note',
    careless: `${OUT}.innerHTML = v`,
    careful: `${OUT}.innerText = v`,
  }),
  {
    name: 'whole-address',
    careless: 'document.write("<a href=\'" + decodeURIComponent(location.href) + "\'>this page</a>")',
    careful: 'document.write("<a href=\\"" + location.href.replace(/"/g, "%22") + "\\">this page</a>")',
  },
  {
    name: 'referrer',
    careless: 'document.write("You came from " + decodeURIComponent(document.referrer))',
    careful: 'document.body.append("You came from " + document.referrer)',
  },
  { name: 'window-name', careless: `${OUT}.innerHTML = window.name`, careful: `${OUT}.textContent = window.name` },
  {
    name: 'message-text',
    careless: `addEventListener("message", (e) => { ${OUT}.innerHTML = e.data })`,
    careful: `addEventListener("message", (e) => { ${ALLOWED}${OUT}.innerHTML = e.data })`,
  },
  {
    name: 'message-member',
    careless: `addEventListener("message", (e) => { if (e.data.type === "banner") ${OUT}.innerHTML = e.data.html })`,
    careful: `addEventListener("message", (e) => { if (e.data.type === "banner") ${OUT}.textContent = e.data.html })`,
  },
  {
    name: 'message-json',
    careless: `onmessage = (e) => { try { const m = JSON.parse(e.data); if (m.kind == "note") ${OUT}.insertAdjacentHTML("beforeend", m.text) } catch {} }`,
    careful: `onmessage = (e) => { ${ALLOWED}try { const m = JSON.parse(e.data); if (m.kind == "note") ${OUT}.append(m.text) } catch {} }`,
  },
  {
    name: 'message-weak-origin',
    careless: `addEventListener("message", (e) => { if (!e.origin.startsWith(location.origin)) return; ${OUT}.innerHTML = e.data })`,
    careful: `addEventListener("message", (e) => { if (e.origin !== location.origin) return; ${OUT}.innerHTML = e.data })`,
  },
  {
    name: 'message-switch',
    careless: `addEventListener("message", ({ data }) => { switch (data.action) { case "open": location.href = data.payload.url; break; case "other": break } })`,
    careful: `addEventListener("message", ({ data }) => { switch (data.action) { case "open": document.title = data.payload.url; break; case "other": break } })`,
  },
  {
    name: 'message-code',
    careless: 'addEventListener("message", (e) => { if (e.data && e.data.run) eval(e.data.run) })',
    careful:
      'addEventListener("message", (e) => { if (e.data && e.data.run === "reload") document.title = "reloaded" })',
  },
  {
    name: 'storage',
    finds: 'xss/dom-storage',
    careless: `${OUT}.innerHTML = localStorage.getItem("banner") || "Welcome"`,
    careful: `${OUT}.textContent = localStorage.getItem("banner") || "Welcome"`,
  },
  {
    name: 'cookie',
    finds: 'xss/dom-storage',
    careless: `const [, banner] = /(?:^|; )banner=([^;]*)/.exec(document.cookie) || []; ${OUT}.innerHTML = banner ? decodeURIComponent(banner) : "Welcome"`,
    careful: `const [, banner] = /(?:^|; )banner=([^;]*)/.exec(document.cookie) || []; ${OUT}.textContent = banner ? decodeURIComponent(banner) : "Welcome"`,
  },
  {
    name: 'cookie-of-its-own',
    finds: 'xss/dom-storage',
    careless: `if (!document.cookie.includes("skin=")) document.cookie = "skin=plain; path=/"; const all = Object.fromEntries(document.cookie.split("; ").map((one) => one.split(/=(.*)/))); ${OUT}.innerHTML = "<b class='" + all.skin + "'>Welcome</b>"`,
    careful: `if (!document.cookie.includes("skin=")) document.cookie = "skin=plain; path=/"; const all = Object.fromEntries(document.cookie.split("; ").map((one) => one.split(/=(.*)/))); ${OUT}.className = all.skin`,
  },
  {
    name: 'query-redirect',
    reads: 'next',
    finds: 'xss/open-redirect',
    careless:
      'const next = new URLSearchParams(location.search).get("next"); if (/^https?:/.test(next || "")) location = next',
    careful:
      'const next = new URLSearchParams(location.search).get("next"); if (/^\\/\\w/.test(next || "")) document.title = next',
  },
]

const caseOf =
  (prefix: string, finds: string) =>
  (one: Scripts): WebCase => ({
    id: `${prefix}-${one.name}`,
    module: 'xss',
    finds: [one.finds ?? finds],
    place: 'query',
    value: 'tent',
    listed: true,
    ...(one.reads === undefined ? {} : { reads: one.reads }),
    answer: (_value, careful) => ({
      body: page(
        `${one.library ? `<script src="/lib/${one.library}.js"></script>` : ''}<p id=out></p><script>${careful ? one.careful : one.careless}</script>`,
      ),
    }),
  })

export const XSS_DOM_CASES: readonly WebCase[] = [
  ...FRAGMENTS.map(caseOf('fragment', 'xss/fragment')),
  ...OTHERS.map(caseOf('dom', 'xss/dom')),
]
