/**
 * What runs in every document of the crawl's browser before the page's own code, as text: this project has no types of the
 * DOM. It notes what cannot be asked for later: routes, listeners, closed shadow trees, timers that are still to run. All of it
 * are proxies, which look like what they stand for: some pages show nothing to a browser whose functions were replaced.
 */
export const HOOK = `(() => {
  const sonde = { routes: [], listeners: new WeakMap(), roots: new WeakMap(), timers: new Set(), changes: 0, since: 0 }
  Object.defineProperty(window, '__sonde', { value: sonde })
  const note = (url) => { try { if (url != null && sonde.routes.length < 500) sonde.routes.push(new URL(url, document.baseURI).href) } catch { /* no address */ } }
  const around = (owner, name, apply) => {
    const own = owner && Object.getOwnPropertyDescriptor(owner, name)
    if (!own || typeof own.value !== 'function') return
    Object.defineProperty(owner, name, { ...own, value: new Proxy(own.value, { apply }) })
  }
  for (const name of ['pushState', 'replaceState']) around(History.prototype, name, (own, self, args) => {
    note(args[2])
    return Reflect.apply(own, self, args)
  })
  around(window, 'open', (_own, _self, args) => { note(args[0]); return null })
  around(EventTarget.prototype, 'addEventListener', (own, self, args) => {
    const target = self || window
    if (!sonde.listeners.has(target)) sonde.listeners.set(target, new Set())
    sonde.listeners.get(target).add(String(args[0]))
    return Reflect.apply(own, self, args)
  })
  around(Element.prototype, 'attachShadow', (own, self, args) => {
    const root = Reflect.apply(own, self, args)
    sonde.roots.set(self, root)
    observer.observe(root, WATCHED)
    return root
  })
  const LONGEST_TIMER = 2500
  around(window, 'setTimeout', (own, self, args) => {
    const [code, delay, ...given] = args
    const short = typeof code === 'function' && delay >= 50 && delay <= LONGEST_TIMER && performance.now() - sonde.since <= 2000
    if (!short) return Reflect.apply(own, self, args)
    const id = Reflect.apply(own, self, [function () { sonde.timers.delete(id); return code.apply(this, given) }, delay])
    sonde.timers.add(id)
    return id
  })
  around(window, 'clearTimeout', (own, self, args) => {
    sonde.timers.delete(args[0])
    return Reflect.apply(own, self, args)
  })
  const WATCHED = { subtree: true, childList: true, attributes: true, attributeFilter: ['href', 'src', 'action', 'hidden', 'open', 'style', 'class'] }
  const observer = new MutationObserver((list) => { sonde.changes += list.length })
  observer.observe(document, WATCHED)
  addEventListener('hashchange', () => note(location.href))
})()`
