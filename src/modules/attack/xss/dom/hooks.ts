/**
 * What runs in a page before its own code, as text: this project has no types of the DOM. Every place that makes
 * markup, code or an address out of a string tells where it was given our word; what the page reads is noted, too.
 */

/** Name of the binding that takes `sink` and `value`. */
export const SINK = 'qxsink'

/** What `NOTES` gives. */
export interface PageNotes {
  /** Sources of the functions that listen to messages. */
  readonly listeners: readonly string[]
  /** Names of parameters that were asked for, there or not. */
  readonly names: readonly string[]
  /** Keys read from storage. */
  readonly keys: readonly string[]
  /** Cookies that its scripts may read, where they read any; none that look like a session. */
  readonly cookies: readonly string[]
  /** There is something that can be pressed or typed into. */
  readonly pressable: boolean
  /** Its scripts send the reader elsewhere now and then. */
  readonly moves: boolean
  /** Its own scripts, their beginning. */
  readonly code: string
  /** What tells the page's scripts from those of another. */
  readonly scripts: string
  /** Its document was next to empty: scripts drew what it shows, by its address. */
  readonly drawn: boolean
  /** Some of its scripts are files of their own. */
  readonly files: boolean
  /** Members of ours that stand in the prototype of all objects. */
  readonly polluted: readonly string[]
}

export const NOTES = `(() => {
  const notes = window.__sondeDom || { listeners: [], names: [], keys: [], cookie: false }
  const reads = notes.cookie
  // A page that writes itself anew has none of its scripts any more.
  const list = document.scripts.length > 0 ? [...document.scripts] : notes.scripts || []
  // Expressions in attributes are code of the page, and names of its data choose what files of scripts do there.
  const tied = new Set()
  for (const element of [...document.querySelectorAll('*')].slice(0, 5000))
    for (const { name, value } of element.attributes) {
      if (/^(?:x-|v-|ng-|hx-on|on|[@:*[(#])/.test(name)) tied.add(name + value.replace(/(["'\`]).*?\\1|\\d+/g, '').slice(0, 200))
      else if (/^(?:data-|hx-)/.test(name)) tied.add(name)
    }
  const scripts = [...list.map((one) => one.src || one.text.replace(/\\d+/g, '0').slice(0, 2000)), ...(list.length > 0 ? [...tied].sort() : [])].join('|')
  let hash = 0x811c9dc5
  for (let at = 0; at < scripts.length; at += 1) hash = Math.imul(hash ^ scripts.charCodeAt(at), 0x01000193)
  const code = list.map((one) => one.text.slice(0, 100000)).join('\\n')
  // Names that are read from the address by hand: /[?&]note=/, indexOf('note='), split("note=").
  const written = [...code.matchAll(/[?&\\]]\\)?([a-zA-Z_][\\w-]{0,30})=|["'\`][?&#]?([a-zA-Z_][\\w-]{0,30})=["'\`]/g)].map((match) => match[1] ?? match[2])
  const moves = document.querySelector('script[src]') !== null || /location\\b[^;]{0,20}=[^=]|location\\s*\\.\\s*(?:assign|replace)|\\bimport\\s*\\(|createElement\\s*\\(\\s*["'\`]script\\b|\\(\\s*location\\s*,/.test(code)
  const named = reads
    ? [
        ...document.cookie.split(/;\\s*/).filter((pair) => pair.length < 80).map((pair) => pair.split('=')[0]),
        ...[...code.matchAll(/cookies?\\w*(?:\\.\\w+)?\\(\\s*["'\`]([\\w.-]{2,40})["'\`]/gi)].map((match) => match[1]),
        ...[...code.matchAll(/["'\`;)|^\\s]([\\w-]{2,40})=(?:["'\`]|\\(\\[\\^;|\\(\\.[*+])/g)].map((match) => match[1]),
      ]
    : []
  const cookies = [...new Set(named)].filter((name) => name && !/sess|auth|token|csrf|xsrf|(?:^|[_-])s?id$/i.test(name)).slice(0, 20)
  // Where no name is to be seen, it may use them all.
  if (reads && !named.some(Boolean)) cookies.push('qx')
  const pressable = document.querySelector('button, summary, input:not([type=hidden]), textarea, select, [onclick], [role=button], [role=tab], a:not([href]), a[href="#"], a[href^="javascript:"]') !== null || Boolean(notes.hears)
  const count = () => document.body ? document.body.querySelectorAll('*:not(script)').length : 0
  const drawn = notes.parsed !== undefined && notes.parsed <= 8 && count() > notes.parsed
  const files = document.querySelector('script[src]') !== null
  const polluted = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^qxp\\d+$/.test(name))
  return { drawn, files, polluted, listeners: notes.listeners, cookies, pressable, names: [...new Set([...notes.names, ...written])].slice(0, 20), keys: [...notes.keys], moves, code: code.slice(0, 20000), scripts: scripts === '' ? '' : String(hash >>> 0) }
})()`

export const hookFor = (word: string): string => `(() => {
  // The page that stands for another site is none of the target's.
  if (/\\.other-site\\.example$/.test(location.hostname)) return
  const word = ${JSON.stringify(word)}
  const tell = window.${SINK}
  let told = 0
  const seen = (sink, value) => {
    if (!sink || told >= 100) return
    let text = ''
    try { text = String(value) } catch { return }
    const at = text.indexOf(word)
    if (at < 0) return
    told += 1
    try { tell(sink, text.slice(Math.max(0, at - 2000), at + 2000)) } catch { /* the frame is going away */ }
  }
  const notes = { listeners: [], names: new Set(), keys: new Set(), cookie: false, scripts: [], heard: new WeakMap(), hears: false }
  addEventListener('DOMContentLoaded', () => { notes.scripts = [...document.scripts] })
  // Once it is parsed and before its deferred scripts run.
  document.addEventListener('readystatechange', () => {
    if (notes.parsed === undefined && document.body) notes.parsed = document.body.querySelectorAll('*:not(script)').length
  })
  Object.defineProperty(window, '__sondeDom', { value: notes })
  const note = (set, value) => { if (set.size < 20 && typeof value === 'string' && value.length < 100) set.add(value) }

  const setter = (type, name, sinkOf) => {
    const holder = window[type] && window[type].prototype
    const own = holder && Object.getOwnPropertyDescriptor(holder, name)
    if (!own || !own.set || !own.configurable) return
    Object.defineProperty(holder, name, { ...own, set(value) { seen(sinkOf(this), value); return own.set.call(this, value) } })
  }
  const method = (holder, name, look) => {
    const own = holder && holder[name]
    if (typeof own !== 'function') return
    holder[name] = function (...given) { look(this, given); return own.apply(this, given) }
  }
  for (const type of ['Element', 'ShadowRoot']) setter(type, 'innerHTML', (one) => one.tagName === 'SCRIPT' ? 'code' : 'html')
  setter('Element', 'outerHTML', () => 'html')
  setter('HTMLIFrameElement', 'srcdoc', () => 'html')
  for (const name of ['text', 'textContent', 'innerText']) setter('HTMLScriptElement', name, () => 'code')
  setter('Node', 'textContent', (one) => one.tagName === 'SCRIPT' ? 'code' : '')
  setter('HTMLElement', 'innerText', (one) => one.tagName === 'SCRIPT' ? 'code' : '')
  setter('HTMLScriptElement', 'src', () => 'script')
  for (const [type, name] of [['HTMLAnchorElement', 'href'], ['HTMLAreaElement', 'href'], ['HTMLFormElement', 'action'],
    ['HTMLInputElement', 'formAction'], ['HTMLButtonElement', 'formAction'], ['HTMLIFrameElement', 'src'],
    ['HTMLEmbedElement', 'src'], ['HTMLObjectElement', 'data']]) setter(type, name, () => 'address')
  method(Element.prototype, 'insertAdjacentHTML', (_, given) => seen('html', given[1]))
  method(Element.prototype, 'setHTMLUnsafe', (_, given) => seen('html', given[0]))
  method(DOMParser.prototype, 'parseFromString', (_, given) => seen('html', given[0]))
  method(Document, 'parseHTMLUnsafe', (_, given) => seen('html', given[0]))
  method(ShadowRoot.prototype, 'setHTMLUnsafe', (_, given) => seen('html', given[0]))
  method(Document.prototype, 'execCommand', (_, given) => { if (/^inserthtml$/i.test(String(given[0]))) seen('html', given[2]) })
  method(JSON, 'parse', (_, given) => seen('json', given[0]))
  method(window, 'atob', (_, given) => seen('base64', given[0]))
  // jQuery makes elements of what does not look like a selector.
  for (const type of [Document, Element])
    for (const name of ['querySelectorAll', 'getElementsByTagName']) method(type.prototype, name, (_, given) => { if (window.jQuery) seen('selector', given[0]) })
  // What it is told to put in is text where nothing in it looks like markup.
  method(Document.prototype, 'createTextNode', (_, given) => { if (window.jQuery) seen('text', given[0]) })
  const inserts = (parent, given) => { if (parent.tagName === 'SCRIPT') for (const one of given) seen('code', one && one.nodeType ? one.data : one) }
  for (const name of ['appendChild', 'insertBefore', 'replaceChild']) method(Node.prototype, name, inserts)
  for (const name of ['append', 'prepend', 'replaceChildren']) method(Element.prototype, name, inserts)
  method(Range.prototype, 'createContextualFragment', (_, given) => seen('html', given[0]))
  for (const name of ['write', 'writeln']) method(Document.prototype, name, (_, given) => seen('html', given.join('')))
  const attribute = (one, name, value) => {
    const low = String(name).toLowerCase()
    if (/^on/.test(low)) seen('code', value)
    else if (low === 'srcdoc') seen('html', value)
    else if (low === 'src' && one.tagName === 'SCRIPT') seen('script', value)
    else if (/^(href|xlink:href|action|formaction|data)$/.test(low) || (low === 'src' && /^(IFRAME|EMBED|FRAME)$/.test(one.tagName))) seen('address', value)
  }
  method(Element.prototype, 'setAttribute', (one, given) => attribute(one, given[0], given[1]))
  method(Element.prototype, 'setAttributeNS', (one, given) => attribute(one, given[1], given[2]))
  for (const name of ['setTimeout', 'setInterval']) method(window, name, (_, given) => { if (typeof given[0] === 'string') seen('code', given[0]) })
  method(window, 'eval', (_, given) => { if (typeof given[0] === 'string') seen('code', given[0]) })
  window.Function = new Proxy(Function, {
    apply: (own, self, given) => { seen('code', given.at(-1)); return Reflect.apply(own, self, given) },
    construct: (own, given) => { seen('code', given.at(-1)); return Reflect.construct(own, given) },
  })
  // Compilers of expressions make asynchronous functions, or ask any function for its maker.
  for (const kind of [Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor]) {
    const made = kind === Function ? window.Function : new Proxy(kind, {
      apply: (own, self, given) => { seen('code', given.at(-1)); return Reflect.apply(own, self, given) },
      construct: (own, given, target) => { seen('code', given.at(-1)); return Reflect.construct(own, given, target) },
    })
    Object.defineProperty(kind.prototype, 'constructor', { value: made, writable: true, configurable: true })
  }
  // A page of the site's own may go on in another window; what our word names is not opened.
  const open = window.open
  let opened = 0
  window.open = function (url, ...given) {
    seen('window', url)
    opened += 1
    const own = (() => { try { return new URL(url, location.href).origin === location.origin } catch { return false } })()
    return own && opened <= 2 && !String(url).includes(word) ? open.call(window, url, ...given) : null
  }

  const listen = (listener) => {
    const code = typeof listener === 'function' ? listener : listener && listener.handleEvent
    if (typeof code === 'function' && notes.listeners.length < 10) notes.listeners.push(String(code).slice(0, 20000))
  }
  const hear = (one, type) => {
    if (!(one instanceof Element)) return
    notes.hears ||= /^(?:click|mouse|pointer|key|touch)/.test(type)
    notes.heard.set(one, (notes.heard.get(one) || new Set()).add(String(type)))
  }
  method(EventTarget.prototype, 'addEventListener', (one, given) => { if (given[0] === 'message' && (one === window || one === undefined)) listen(given[1]); else hear(one, given[0]) })
  const own = Object.getOwnPropertyDescriptor(window, 'onmessage')
  if (own && own.set) Object.defineProperty(window, 'onmessage', { ...own, set(value) { listen(value); return own.set.call(this, value) } })
  for (const name of ['get', 'getAll', 'has']) method(URLSearchParams.prototype, name, (_, given) => note(notes.names, given[0]))
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
  if (cookie && cookie.get && cookie.configurable) Object.defineProperty(Document.prototype, 'cookie', { ...cookie, get() { notes.cookie = true; return cookie.get.call(this) } })
  method(Storage.prototype, 'getItem', (_, given) => note(notes.keys, given[0]))
})()`
