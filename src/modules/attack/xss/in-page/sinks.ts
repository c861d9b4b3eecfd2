/**
 * Runs in a page before its own code: every place that makes markup, code or an address out of a string tells where it was
 * given our word; what the page reads is noted, too.
 */
import { SINK } from '../dom/hooks.ts'
import { countElements, type Memory, remember } from './memory.ts'

type Seen = (sink: string, value: unknown) => void
type Look = (self: unknown, given: readonly unknown[]) => void

const MOST_TOLD = 100
/** Characters on either side of the word. */
const AROUND = 2_000
const MOST_NOTED = 20
const MOST_LISTENERS = 10
const MOST_WINDOWS = 2

export function main(word: string): void {
  // The page that stands for another site is none of the target's.
  if (/\.other-site\.example$|^other-site-of-nobody-/.test(location.hostname)) return
  const memory: Memory = {
    listeners: [],
    names: new Set(),
    keys: new Set(),
    scripts: [],
    cookie: false,
  }
  addEventListener('DOMContentLoaded', () => {
    memory.scripts = [...document.scripts]
  })
  document.addEventListener('readystatechange', () => {
    if (memory.parsed === undefined && (document.body as HTMLElement | null) !== null) memory.parsed = countElements()
  })
  remember(memory)
  const seen = tellerOf(word)
  watchMarkup(seen)
  watchTexts(seen)
  watchNodes(seen)
  watchAttributes(seen)
  watchCode(seen)
  watchWindows(seen, word)
  watchFetched(seen, word)
  noteReads(memory)
}

const tellerOf = (word: string): Seen => {
  const tell = (window as unknown as Record<string, (sink: string, value: string, by: string) => void>)[SINK]
  let told = 0
  return (sink, value) => {
    if (sink === '' || told >= MOST_TOLD) return
    let text = ''
    try {
      text = String(value)
    } catch {
      return // It has no text: nothing of ours is in it.
    }
    const at = text.indexOf(word)
    if (at < 0) return
    told += 1
    try {
      tell?.(sink, text.slice(Math.max(0, at - AROUND), at + AROUND), callersOrNone())
    } catch {
      // The frame is going away.
    }
  }
}

/** Calls that are told of one after the other. */
const MOST_CALLS = 60

/** A page may have frozen or replaced what tells of calls: what its sinks are given is told all the same. */
const callersOrNone = (): string => {
  try {
    return callersOf()
  } catch {
    return ''
  }
}

/** By what code, where all of it stands in files: places in them, the innermost first. Empty where the page itself holds some. */
const callersOf = (): string => {
  // Of V8 alone, as is the browser of a run.
  const limited = Error as unknown as { stackTraceLimit: number }
  const { stackTraceLimit } = limited
  limited.stackTraceLimit = MOST_CALLS
  const stack = new Error().stack ?? ''
  limited.stackTraceLimit = stackTraceLimit
  const calls = [...stack.matchAll(/(https?:\/\/[^\s()]{1,500}):(\d+):(\d+)/g)]
  const own = location.href.split('#')[0]
  return calls.some(([, file]) => file === own) ? '' : calls.map(([call]) => call).join(' ')
}

const watchSetter = (type: string, name: string, seen: Seen, sinkOf: (one: Element) => string): void => {
  const holder = (window as unknown as Record<string, { readonly prototype: object } | undefined>)[type]?.prototype
  const own = holder && Object.getOwnPropertyDescriptor(holder, name)
  if (!own?.set || !own.configurable) return
  const { set } = own
  Object.defineProperty(holder, name, {
    ...own,
    set(this: Element, value: unknown) {
      seen(sinkOf(this), value)
      return set.call(this, value)
    },
  })
}

const watchMethod = (owner: object | undefined, name: string, look: Look): void => {
  const holder = owner as Record<string, unknown> | undefined
  const own = holder?.[name]
  if (holder === undefined || typeof own !== 'function') return
  holder[name] = function (this: unknown, ...given: unknown[]) {
    look(this, given)
    return own.apply(this, given)
  }
}

/**
 * Stays in front of whatever is put there later: zones and monitors of errors put a function of their own there, and hand on another
 * listener than the page has given.
 */
const watchOutermost = (holder: object, name: string, look: Look): void => {
  const own = Object.getOwnPropertyDescriptor(holder, name)
  if (typeof own?.value !== 'function' || !own.configurable) return
  type Method = (this: unknown, ...given: unknown[]) => unknown
  const around = (inner: Method): Method =>
    function (...given) {
      look(this, given)
      return inner.apply(this, given)
    }
  let current: unknown = around(own.value as Method)
  Object.defineProperty(holder, name, {
    configurable: true,
    enumerable: own.enumerable ?? false,
    get: () => current,
    set: (next: unknown) => {
      current = typeof next === 'function' ? around(next as Method) : next
    },
  })
}

const isScript = (one: unknown): boolean => (one as Partial<Element>).tagName === 'SCRIPT'

const watchMarkup = (seen: Seen): void => {
  for (const type of ['Element', 'ShadowRoot'])
    watchSetter(type, 'innerHTML', seen, (one) => (isScript(one) ? 'code' : 'html'))
  watchSetter('Element', 'outerHTML', seen, () => 'html')
  watchSetter('HTMLIFrameElement', 'srcdoc', seen, () => 'html')
  for (const name of ['text', 'textContent', 'innerText']) watchSetter('HTMLScriptElement', name, seen, () => 'code')
  watchSetter('Node', 'textContent', seen, (one) => (isScript(one) ? 'code' : ''))
  watchSetter('HTMLElement', 'innerText', seen, (one) => (isScript(one) ? 'code' : ''))
  watchSetter('HTMLScriptElement', 'src', seen, () => 'script')
  for (const [type, name] of [
    ['HTMLAnchorElement', 'href'],
    ['HTMLAreaElement', 'href'],
    ['HTMLFormElement', 'action'],
    ['HTMLInputElement', 'formAction'],
    ['HTMLButtonElement', 'formAction'],
    ['HTMLIFrameElement', 'src'],
    ['HTMLEmbedElement', 'src'],
    ['HTMLObjectElement', 'data'],
  ] as const)
    watchSetter(type, name, seen, () => 'address')
  watchMethod(Element.prototype, 'insertAdjacentHTML', (_, given) => seen('html', given[1]))
  for (const holder of [Element.prototype, ShadowRoot.prototype])
    watchMethod(holder, 'setHTMLUnsafe', (_, given) => seen('html', given[0]))
  watchMethod(DOMParser.prototype, 'parseFromString', (_, given) => seen('html', given[0]))
  watchMethod(Document, 'parseHTMLUnsafe', (_, given) => seen('html', given[0]))
  watchMethod(Document.prototype, 'execCommand', (_, given) => {
    if (/^inserthtml$/i.test(String(given[0]))) seen('html', given[2])
  })
  watchMethod(Range.prototype, 'createContextualFragment', (_, given) => seen('html', given[0]))
  for (const name of ['write', 'writeln'])
    watchMethod(Document.prototype, name, (_, given) => seen('html', given.join('')))
}

const hasJQuery = (): boolean => Boolean((window as { jQuery?: unknown }).jQuery)

const watchTexts = (seen: Seen): void => {
  watchMethod(JSON, 'parse', (_, given) => seen('json', given[0]))
  watchMethod(window, 'atob', (_, given) => seen('base64', given[0]))
  // jQuery makes elements of what does not look like a selector.
  for (const type of [Document, Element])
    for (const name of ['querySelectorAll', 'getElementsByTagName'])
      watchMethod(type.prototype, name, (_, given) => {
        if (hasJQuery()) seen('selector', given[0])
      })
  // What it is told to put in is text where nothing in it looks like markup.
  watchMethod(Document.prototype, 'createTextNode', (_, given) => {
    if (hasJQuery()) seen('text', given[0])
  })
}

const watchNodes = (seen: Seen): void => {
  const inserts: Look = (parent, given) => {
    if (!isScript(parent)) return
    for (const one of given) seen('code', (one as Partial<Text> | null)?.nodeType ? (one as Text).data : one)
  }
  for (const name of ['appendChild', 'insertBefore', 'replaceChild']) watchMethod(Node.prototype, name, inserts)
  for (const name of ['append', 'prepend', 'replaceChildren']) watchMethod(Element.prototype, name, inserts)
}

const watchAttributes = (seen: Seen): void => {
  const look = ({ tagName }: Element, name: unknown, value: unknown): void => {
    const low = String(name).toLowerCase()
    if (low.startsWith('on')) seen('code', value)
    else if (low === 'srcdoc') seen('html', value)
    else if (low === 'src' && tagName === 'SCRIPT') seen('script', value)
    else if (
      /^(?:href|xlink:href|action|formaction|data)$/.test(low) ||
      (low === 'src' && /^(?:IFRAME|EMBED|FRAME)$/.test(tagName))
    )
      seen('address', value)
  }
  watchMethod(Element.prototype, 'setAttribute', (one, given) => look(one as Element, given[0], given[1]))
  watchMethod(Element.prototype, 'setAttributeNS', (one, given) => look(one as Element, given[1], given[2]))
}

const watchCode = (seen: Seen): void => {
  for (const name of ['setTimeout', 'setInterval', 'eval'])
    watchMethod(window, name, (_, given) => {
      if (typeof given[0] === 'string') seen('code', given[0])
    })
  const watched = (maker: FunctionConstructor): FunctionConstructor =>
    new Proxy(maker, {
      apply: (own, self, given: unknown[]) => {
        seen('code', given.at(-1))
        return Reflect.apply(own, self, given)
      },
      construct: (own, given: unknown[], target) => {
        seen('code', given.at(-1))
        return Reflect.construct(own, given, target)
      },
    })
  // Compilers of expressions make asynchronous functions, or ask any function for its maker.
  const asynchronous = (async () => null).constructor
  const generating = function* () {
    yield null
  }.constructor
  const both = async function* () {
    yield null
  }.constructor
  for (const kind of [Function, asynchronous, generating, both] as readonly FunctionConstructor[]) {
    const maker = watched(kind)
    if (kind === Function) window.Function = maker
    Object.defineProperty(kind.prototype, 'constructor', { value: maker, writable: true, configurable: true })
  }
}

/** A page of the site's own may go on in another window; what our word names is not opened. */
const watchWindows = (seen: Seen, word: string): void => {
  const { open } = window
  let opened = 0
  window.open = (url, ...given) => {
    seen('window', url)
    opened += 1
    const own = isOwn(url)
    return own && opened <= MOST_WINDOWS && !String(url).includes(word) ? open.call(window, url, ...given) : null
  }
}

/** Where a script gets something from that it may show: the host, and not a path or a query behind it. */
const watchFetched = (seen: Seen, word: string): void => {
  const note = (given: unknown): void => {
    const address = given instanceof Request ? given.url : String(given)
    const at = address.indexOf(word)
    if (at !== -1 && /^(?:(?:https?:)?\/\/[^/?#\s]*\/?|\/)?$/i.test(address.slice(0, at))) seen('fetch', address)
  }
  watchMethod(XMLHttpRequest.prototype, 'open', (_, given) => note(given[1]))
  watchMethod(window, 'fetch', (_, given) => note(given[0]))
}

const isOwn = (url: string | URL | undefined): boolean => {
  try {
    return new URL(String(url), location.href).origin === location.origin
  } catch {
    return false // No address.
  }
}

const noteReads = (memory: Memory): void => {
  const listen = (listener: unknown): void => {
    const code =
      typeof listener === 'function' ? listener : (listener as Partial<EventListenerObject> | null)?.handleEvent
    const text = typeof code === 'function' ? String(code).slice(0, 20_000) : ''
    if (text !== '' && memory.listeners.length < MOST_LISTENERS && !memory.listeners.includes(text))
      memory.listeners.push(text)
  }
  watchOutermost(EventTarget.prototype, 'addEventListener', (one, given) => {
    if (given[0] === 'message' && (one === window || one === undefined)) listen(given[1])
  })
  const own = Object.getOwnPropertyDescriptor(window, 'onmessage')
  if (own?.set) {
    const { set } = own
    Object.defineProperty(window, 'onmessage', {
      ...own,
      set(value: unknown) {
        listen(value)
        return set.call(this, value)
      },
    })
  }
  const note = (kept: Set<string>, value: unknown): void => {
    if (kept.size < MOST_NOTED && typeof value === 'string' && value.length < 100) kept.add(value)
  }
  for (const name of ['get', 'getAll', 'has'])
    watchMethod(URLSearchParams.prototype, name, (_, given) => note(memory.names, given[0]))
  watchMethod(Storage.prototype, 'getItem', (_, given) => note(memory.keys, given[0]))
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
  if (!cookie?.get || !cookie.configurable) return
  const { get } = cookie
  Object.defineProperty(Document.prototype, 'cookie', {
    ...cookie,
    get(this: Document) {
      memory.cookie = true
      return get.call(this)
    },
  })
}
