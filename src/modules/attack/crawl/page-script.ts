/**
 * What runs inside the pages of the crawl's browser, as text: this project has no types of the DOM. `HOOK` notes routes
 * before the page's own code runs, `LINKS` reads what the page shows, shadow trees included, `CLICKABLE` and `CLICK` find
 * and press what is no link.
 */

export const HOOK = `(() => {
  const routes = []
  const note = (url) => { try { if (url != null && routes.length < 200) routes.push(new URL(url, location.href).href) } catch { /* no address */ } }
  for (const name of ['pushState', 'replaceState']) {
    const own = history[name]
    history[name] = function (state, title, url) { note(url); return own.apply(this, arguments) }
  }
  addEventListener('hashchange', () => note(location.href))
  window.open = (url) => { note(url); return null }
  Object.defineProperty(window, '__sondeRoutes', { value: routes })
})()`

const DEEP = `const all = (root, out) => {
    for (const element of root.querySelectorAll('*')) {
      out.push(element)
      if (element.shadowRoot && out.length < 20000) all(element.shadowRoot, out)
    }
    return out
  }
  const label = (element) => [
      element.innerText || element.value || '', element.getAttribute('aria-label'), element.title, element.alt,
      ...[...element.querySelectorAll('img[alt],svg[aria-label],[title]')].slice(0, 5).map((one) => one.alt || one.getAttribute('aria-label') || one.title),
    ].map((one) => (typeof one === 'string' ? one : '').replace(/\\s+/g, ' ').trim()).filter(Boolean).join('\\n').slice(0, 400)
  const names = (element) => (element.id || '') + ' ' + (typeof element.className === 'string' ? element.className : '') + ' ' + (element.name || '')`

/** Gives `{links: [{url, label, asks}], html, routes}`. */
export const LINKS = `(() => {
  ${DEEP}
  const links = []
  for (const element of all(document, [])) {
    const url = element.href || (element.tagName === 'FORM' ? '' : element.getAttribute('data-href') || element.getAttribute('data-url'))
    if (typeof url === 'string' && url && links.length < 1000) links.push({ url, label: label(element), asks: /\\bconfirm\\s*\\(/.test(element.getAttribute('onclick') || '') || element.hasAttribute('data-confirm') })
  }
  const shadow = all(document, []).filter((element) => element.shadowRoot).map((element) => element.shadowRoot.innerHTML).join('\\n')
  return {
    links,
    html: (document.documentElement.outerHTML + shadow).slice(0, 262144),
    routes: (window.__sondeRoutes || []).slice(0, 200),
  }
})()`

const CANDIDATES = `const candidates = all(document, []).filter((element) => {
    if (element.disabled || element.closest('a[href]:not([href^="#"]):not([href^="javascript:"])')) return false
    if (element.type === 'submit' && element.form) return false
    if (element.type === 'reset' || element.type === 'file') return false
    const role = element.getAttribute('role') || ''
    const able = element.onclick || element.hasAttribute('onclick') || element.tagName === 'BUTTON' || element.tagName === 'SUMMARY' ||
      (element.tagName === 'A' && element.hasAttribute('href')) || /^(button|tab|menuitem|link|option)$/.test(role) ||
      (element.tagName === 'INPUT' && element.type === 'button')
    if (!able) return false
    const box = element.getBoundingClientRect()
    return box.width > 0 && box.height > 0
  })
  const key = (element) => {
    const path = []
    for (let one = element; one && one.nodeType === 1 && path.length < 6; one = one.parentElement) path.push(one.tagName + (one.id ? '#' + one.id : ''))
    return path.join('<') + '|' + label(element) + '|' + names(element)
  }`

/** Gives `[{key, label, names, asks}]`, most 100. `asks`: it asks before it is done. */
export const CLICKABLE = `(() => {
  ${DEEP}
  ${CANDIDATES}
  return candidates.slice(0, 100).map((element) => ({
    key: key(element), label: label(element), names: names(element),
    asks: /\\bconfirm\\s*\\(/.test(element.getAttribute('onclick') || '') || element.hasAttribute('data-confirm') || element.hasAttribute('hx-confirm'),
  }))
})()`

/** Presses the element with this key. True when there was one. */
export const clickOf = (wanted: string): string => `(() => {
  ${DEEP}
  ${CANDIDATES}
  const found = candidates.find((element) => key(element) === ${JSON.stringify(wanted)})
  if (found) found.click()
  return Boolean(found)
})()`

/** What the page looks like, apart from its text: tags of all visible elements in order, hashed. */
export const STATE = `(() => {
  ${DEEP}
  let hash = 0x811c9dc5
  for (const element of all(document.body || document, [])) {
    if (!element.offsetParent && element.tagName !== 'BODY') continue
    const text = element.tagName + (element.getAttribute('role') || '') + (element.hidden ? 'h' : '')
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16) + location.hash
})()`
