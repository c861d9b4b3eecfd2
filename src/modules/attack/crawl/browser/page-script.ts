/**
 * What runs inside the pages of the crawl's browser, as text: this project has no types of the DOM. It reads what a page
 * shows, shadow trees included, lists what somebody could do there, and does it.
 */

import { ASKING } from '../../../../safety/form-effect.ts'
import { CHOOSES_LANGUAGE, NAMES_LANGUAGE } from '../../../../safety/language.ts'
import { SAMPLES } from '../../../sample-files.ts'
import { LEADING } from '../pages.ts'
import { TYPED_BY_NAME } from '../values.ts'

const DEEP = `const sonde = window.__sonde || { routes: [], listeners: new WeakMap(), roots: new WeakMap(), timers: new Set(), changes: 0 }
  const rootOf = (element) => element.shadowRoot || sonde.roots.get(element)
  const all = (root, out) => {
    for (const element of root.querySelectorAll('*')) {
      out.push(element)
      const inner = rootOf(element)
      if (inner && out.length < 20000) all(inner, out)
    }
    return out
  }
  // Boxes and buttons of which one or several are chosen: what they say stands beside them.
  const isChoice = (element) => element.tagName === 'INPUT' && /^(checkbox|radio)$/.test(element.type)
  const label = (element) => [
      (isChoice(element) && element.labels && element.labels[0] && element.labels[0].innerText) || element.innerText || element.value || '', element.getAttribute('aria-label'), element.title, element.alt,
      ...[...element.querySelectorAll('img[alt],svg[aria-label],[title]')].slice(0, 5).map((one) => one.alt || one.getAttribute('aria-label') || one.title),
    ].map((one) => (typeof one === 'string' ? one : '').replace(/\\s+/g, ' ').trim()).filter(Boolean).join('\\n').slice(0, 400)
  const names = (element) => (element.id || '') + ' ' + (typeof element.className === 'string' ? element.className : '') + ' ' + (element.getAttribute('name') || '')
  const asks = (element) => /\\bconfirm\\s*\\(/.test(element.getAttribute('onclick') || '') || ${JSON.stringify(ASKING)}.some((name) => element.hasAttribute(name))`

/** Gives `{links: [{url, label, asks}], html, routes}`. */
export const LINKS = `(() => {
  ${DEEP}
  const links = []
  for (const element of all(document, [])) {
    const own = element.href && typeof element.href === 'object' ? element.href.baseVal : element.href
    // A picture that a program makes takes values as a page does.
    const made = element.tagName === 'IMG' && /^[^#]*\\?[^#]*=/.test(element.getAttribute('src') || '') ? element.src : ''
    const raw = own || made || (element.tagName === 'FORM' ? '' : element.getAttribute('data-href') || element.getAttribute('data-url'))
    if (typeof raw !== 'string' || !raw || links.length >= 2000) continue
    // What a page is built of leads nowhere.
    if (element.tagName === 'LINK' && !${LEADING}.test(element.rel)) continue
    try { links.push({ url: new URL(raw, document.baseURI).href, label: label(element), asks: asks(element) }) } catch { /* no address */ }
  }
  const shadow = all(document, []).map(rootOf).filter(Boolean).map((root) => root.innerHTML).join('\\n')
  return {
    links,
    html: (document.documentElement.outerHTML + shadow).slice(0, 262144),
    routes: sonde.routes.splice(0),
  }
})()`

/** What somebody can do on the page: elements that listen, and those that browsers or pages let be pressed. */
const CANDIDATES = `const HEARD = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'dblclick', 'contextmenu', 'mouseover', 'mouseenter', 'mousemove', 'pointerover', 'pointerenter', 'focus', 'focusin', 'keydown', 'keyup', 'keypress', 'input', 'change', 'dragstart', 'wheel', 'submit', 'blur']
  const TYPED = ['text', 'search', 'email', 'url', 'tel', 'number', 'password', 'date', '']
  // jQuery keeps by a selector what one listener further up does for many elements.
  const kept = new Map()
  const owners = window.jQuery && typeof window.jQuery._data === 'function' ? [document, document.body, ...[...document.querySelectorAll('[id]')].slice(0, 200)] : []
  for (const owner of owners) {
    let events = null
    try { events = window.jQuery._data(owner, 'events') } catch { /* it keeps none there */ }
    for (const [type, handlers] of Object.entries(events || {}))
      for (const { selector } of Array.isArray(handlers) ? handlers : handlers && handlers.length ? [...handlers] : []) {
        if (typeof selector !== 'string' || !selector) continue
        let found = []
        try { found = [...owner.querySelectorAll(selector)].slice(0, 200) } catch { /* a selector of jQuery's own */ }
        for (const one of found) kept.set(one, (kept.get(one) || new Set()).add(type))
      }
  }
  const heard = (target) => {
    const types = new Set([...(sonde.listeners.get(target) || []), ...(kept.get(target) || [])])
    for (const type of HEARD) if (typeof target['on' + type] === 'function') types.add(type)
    const react = Object.keys(target).find((name) => name.startsWith('__reactProps$'))
    for (const name of react ? Object.keys(target[react] || {}) : []) if (/^on[A-Z]/.test(name)) types.add(name === 'onDoubleClick' ? 'dblclick' : name.slice(2).toLowerCase())
    return types
  }
  const above = (element) => {
    const types = new Set()
    for (let one = element.parentNode || element.host; one; one = one.parentNode || one.host) for (const type of heard(one)) types.add(type)
    for (const type of heard(window)) types.add(type)
    return types
  }
  // A route behind the # is a page of its own, and opened as one.
  const leads = (element) => element.tagName === 'A' && element.hasAttribute('href') && !/^(#(?!!?\\/\\w|[\\w-]+\\/[\\w%.-])|javascript:)/i.test(element.getAttribute('href'))
  const native = (element) => {
    const role = element.getAttribute('role') || ''
    return element.tagName === 'BUTTON' || element.tagName === 'SUMMARY' || (element.tagName === 'A' && element.hasAttribute('href')) ||
      /^(button|tab|menuitem|menuitemcheckbox|link|option|switch|treeitem)$/.test(role) || (element.tagName === 'INPUT' && element.type === 'button') ||
      element.hasAttribute('popovertarget') || element.hasAttribute('aria-haspopup') || element.hasAttribute('aria-expanded') || element.hasAttribute('onclick')
  }
  const seen = (element) => { const box = element.getBoundingClientRect(); return box.width > 0 && box.height > 0 && !(element.getAttribute('aria-hidden') === 'true' && Math.min(box.width, box.height) <= 1) }
  const eventsOf = (element) => {
    if (element.type === 'file') return element.tagName === 'INPUT' && !element.disabled && !element.form && (types => types.has('change') || types.has('input'))(heard(element).union(above(element))) ? ['file'] : null
    if (element.disabled || element.type === 'reset' || element === document.body || element === document.documentElement) return null
    const types = heard(element)
    if (element.tagName === 'FORM') return types.has('submit') || element.hasAttribute('onsubmit') || above(element).has('submit') ? ['submit'] : null
    if (element.type === 'submit' && element.form) return types.has('click') && !heard(element.form).has('submit') ? ['click'] : null
    if (leads(element) || (element.closest && element.closest('a[href]') && leads(element.closest('a[href]')) && !HEARD.some((type) => types.has(type)))) {
      return ['mouseover', 'mouseenter', 'pointerenter', 'focus'].filter((type) => types.has(type)).length > 0 ? ['hover'] : null
    }
    const own = HEARD.filter((type) => types.has(type))
    if (native(element)) return [...new Set(['click', ...own])]
    if (own.length > 0) return own
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && (element.tagName !== 'INPUT' || TYPED.includes(element.type) || isChoice(element))) {
      const from = above(element)
      return ['input', 'change', 'keyup'].filter((type) => from.has(type) && !(isChoice(element) && type === 'keyup'))
    }
    const pointed = getComputedStyle(element).cursor === 'pointer' && (!element.parentElement || getComputedStyle(element.parentElement).cursor !== 'pointer')
    return pointed && above(element).has('click') ? ['click'] : null
  }
  const COUNTED = /[-_:]\\d+$|:\\w+:$|\\d{3,}(?:[-_:]|$)/
  const said = (field) => field.name || field.getAttribute('formcontrolname') || (COUNTED.test(field.id) ? '' : field.id) || field.placeholder || field.getAttribute('aria-label') || ((field.labels && field.labels[0] && field.labels[0].innerText) || '').slice(0, 30) || field.type
  // Forms of one make are told apart by where they go, those for the things of a list are not.
  const named = (form) => (form.getAttributeNames().map((name) => name.startsWith('data-') ? form.getAttribute(name) : '').find((value) => /^\\/[\\w-]/.test(value)))
  const goes = (form) => ' ' + (form.getAttribute('action') || named(form) || '').replace(/[?#].*$/, '').replace(/[^/]*\\d[^/]*/g, '0').slice(0, 120)
  // What is filled in beside it: buttons of one name save one thing here and another there.
  const beside = (element) => {
    // What leads to one part of a page or another is the same above each.
    if (element.closest('[role=tablist],[role=menu],[role=menubar],nav')) return ''
    let one = element.parentElement
    for (let up = 0; one && up < 6 && !one.querySelector('input,textarea,select'); up += 1) one = one.parentElement
    return one && one !== document.body && one !== document.documentElement ? [...new Set([...one.querySelectorAll('input,textarea,select')].slice(0, 24).map(said))].slice(0, 12).join(',') : ''
  }
  // Classes that say how it stands just then: a field that was typed in, a button that was pressed.
  const STANDING = /(?:^|\\s)(?:(?:ng|cdk|is|has|was)-\\S+|\\S*(?:focus|active|hover|fill|empty|press|open|expand|collaps|select|checked|dirty|touched|loading|disabled)\\S*)/gi
  const key = (element) => {
    const path = []
    for (let one = element; one && one.nodeType === 1 && path.length < 6; one = one.parentElement) path.push(one.tagName + (one.id ? '#' + one.id : ''))
    // Forms and fields for files seldom have a name where scripts make them: their fields, and what is written beside them, tell them apart.
    const shown = element.tagName === 'FORM' ? [...element.elements].slice(0, 20).map(said).join(',') + goes(element) : element.type === 'file' ? said(element) + ' ' + element.accept : /^(INPUT|TEXTAREA)$/.test(element.tagName) && element.type !== 'button' ? said(element) : element.children.length > 8 ? '' : label(element).slice(0, 80)
    return path.join('<') + '|' + shown + '|' + names(element).replace(STANDING, '').replace(/\\s+/g, ' ').trim() + '|' + (native(element) ? beside(element) : '')
  }
  const candidates = all(document, []).flatMap((element) => {
    const events = eventsOf(element)
    return events && events.length > 0 && (element.tagName === 'FORM' || element.type === 'file' || seen(element)) ? [{ element, events }] : []
  })`

/**
 * Gives `[{key, label, names, asks, events, stood, speaks, around}]`, most 200. `asks`: it asks before it is done; `stood`: it was there when the
 * page was read last; `speaks`: it names a language; `around`: it stands at the head or foot of all views.
 */
export const CANDIDATES_LIST = `(() => {
  ${DEEP}
  ${CANDIDATES}
  const listed = sonde.listed || (sonde.listed = new WeakSet())
  const language = new RegExp(${JSON.stringify(NAMES_LANGUAGE.source)}, 'i')
  return candidates.slice(0, 200).map(({ element, events }) => {
    const [stood, said] = [listed.has(element), element.tagName === 'FORM' ? label(element.querySelector('[type=submit],button:not([type])') || element) : element.children.length > 8 ? '' : label(element)]
    listed.add(element)
    return { key: key(element), events, names: names(element), asks: asks(element), label: said, stood, speaks: element.tagName !== 'FORM' && language.test(said.split('\\n')[0]), around: Boolean(element.closest('header,footer,nav,[role=banner],[role=navigation],[role=search],[role=contentinfo]')) && !element.closest('main,article,section,[role=main],[role=dialog]') }
  })
})()`

/** In Base64, by their endings. */
const FILES = Object.fromEntries([
  ...SAMPLES.map(({ ending, content }) => [ending, Buffer.from(content).toString('base64')]),
  // A ZIP archive of one note, stored (APPNOTE 4.3).
  [
    'zip',
    'UEsDBBQAAAAAACEAIVhjXUJ7CQAAAAkAAAAIAAAAbm90ZS50eHRBIG5vdGUuIDhQSwECFAAUAAAAAAAhACFYY11CewkAAAAJAAAACAAAAAAAAAAAAAAAAAAAAAAAbm90ZS50eHRQSwUGAAAAAAEAAQA2AAAALwAAAAAA',
  ],
])

const DEEDS = `const wait = (ms) => new Promise((done) => setTimeout(done, ms))
  const send = (element, name, more) => {
    const box = element.getBoundingClientRect()
    const Kind = name.startsWith('pointer') ? PointerEvent : name.startsWith('key') ? KeyboardEvent : name.startsWith('drag') || name === 'drop' ? DragEvent : name === 'wheel' ? WheelEvent : MouseEvent
    element.dispatchEvent(new Kind(name, {
      bubbles: !/(enter|leave)$/.test(name), cancelable: true, composed: true, view: window,
      clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, detail: 1, pointerId: 1, pointerType: 'mouse', isPrimary: true, ...more,
    }))
  }
  const put = (element, value) => {
    const proto = element.tagName === 'TEXTAREA' ? HTMLTextAreaElement : element.tagName === 'SELECT' ? HTMLSelectElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(proto.prototype, 'value').set.call(element, value)
    for (const name of ['input', 'change']) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }))
  }
  const EXAMPLES = { email: 'test@example.org', url: 'https://example.org/', tel: '+4930123456', number: '1', range: '1', date: '2024-01-01', time: '12:00', month: '2024-01', week: '2024-W01', 'datetime-local': '2024-01-01T12:00', color: '#000000' }
  // As passwordFor of values.ts: another one for each page, so that what makes an account gives it none that signs in elsewhere.
  const password = () => 'Test-' + (1000 + [...location.pathname + (/^#(?:!?|[\\w-]+)\\//.test(location.hash) ? location.hash.split('?')[0] : '')].reduce((so, one) => (so * 31 + one.codePointAt(0)) % 9000, 0))
  // What a program makes a number or an address of, takes no word.
  const NAMED = ${JSON.stringify(TYPED_BY_NAME)}
  const called = (element) => { const found = NAMED.find(([source, flags]) => new RegExp(source, flags).test(element.name || element.id)); return found && found[2] }
  const fill = (element) => {
    if (element.tagName === 'SELECT') {
      const others = new RegExp(${JSON.stringify(CHOOSES_LANGUAGE.source)}, 'i').test(element.name + ' ' + element.id) ? [] : [...element.options]
      const other = others.find((one) => !one.disabled && one.value !== '' && one.value !== element.value)
      // The language stays: what hears of it sends the one that is there.
      if (other || others.length === 0) put(element, (other || element).value)
    } else if (/^(checkbox|radio)$/.test(element.type)) { if (element.required && !element.checked) element.click() }
    else if (!/^(hidden|file|submit|button|image|reset)$/.test(element.type) && element.value === '') put(element, element.type === 'password' ? password() : element.min || EXAMPLES[element.type] || called(element) || (element.tagName === 'TEXTAREA' ? 'This is a test.' : 'test').padEnd(Math.min(element.minLength, 200), ' test'))
  }
  // What holds a value already is changed to the same: a quantity in a cart, a name to be edited in its place.
  const again = (element) => {
    if (element.value !== '' && element.tagName !== 'SELECT' && !/^(checkbox|radio|hidden|file|submit|button|image|reset)$/.test(element.type)) put(element, element.value)
    else fill(element)
  }
  const COUPON = /coupon|voucher|promo(?:tion)?(?:al)?[\\s_-]?code|discount[\\s_-]?code|gift[\\s_-]?(?:card|code)|referral[\\s_-]?code|gutschein|rabatt/i
  // Milliseconds.
  const CODE_REFUSED = 600
  const keys = (element, of) => { for (const name of ['keydown', 'keypress', 'keyup']) send(element, name, { key: of, code: of }) }
  const drag = (element) => {
    const dataTransfer = new DataTransfer()
    send(element, 'dragstart', { dataTransfer })
    for (const target of all(document, []).filter((one) => heard(one).has('drop')).slice(0, 5)) for (const name of ['dragenter', 'dragover', 'drop']) send(target, name, { dataTransfer })
    send(element, 'dragend', { dataTransfer })
  }
  // Of a kind that the field takes; of pictures and papers by the ending alone, in which a note is.
  const ENDINGS = { 'image/*': 'png', 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg', 'application/pdf': 'pdf', 'text/csv': 'csv', 'application/json': 'json', 'text/xml': 'xml', 'application/xml': 'xml', 'application/zip': 'zip' }
  const SAMPLES = ${JSON.stringify(FILES)}
  const choose = (element) => {
    const [kind = ''] = (element.accept || '').split(',').map((one) => one.trim().toLowerCase())
    const chosen = new DataTransfer()
    const ending = /^\\.(\\w{1,8})$/.exec(kind)?.[1] || ENDINGS[kind] || 'txt'
    chosen.items.add(new File([SAMPLES[ending] ? Uint8Array.from(atob(SAMPLES[ending]), (one) => one.charCodeAt(0)) : 'A note.'], 'note.' + ending))
    element.files = chosen.files
    for (const name of ['input', 'change']) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }))
  }
  const act = async (element, events) => {
    const on = (...types) => types.some((type) => events.includes(type))
    sonde.since = performance.now()
    if (element.tagName === 'FORM') {
      // What shows a result belongs to a form as well, and takes no value.
      const fields = [...element.elements].filter((input) => /^(INPUT|TEXTAREA|SELECT)$/.test(input.tagName))
      const codes = fields.filter((input) => input.tagName === 'INPUT' && !input.required && input.value === '' && COUPON.test([input.name, input.id, input.placeholder, label(input)].join(' ')))
      for (const input of fields) fill(input)
      element.requestSubmit()
      if (codes.length === 0) return
      // A code that nobody has is refused, and all that stands beside it with it: most people have none.
      await wait(CODE_REFUSED)
      if (!element.isConnected) return
      for (const input of codes) put(input, '')
      element.requestSubmit()
      return
    }
    if (events.includes('file')) { choose(element); return }
    element.scrollIntoView({ block: 'center' })
    for (const name of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove']) send(element, name)
    if (events.includes('hover')) return
    element.focus({ preventScroll: true })
    if (on('focus', 'focusin') && document.activeElement !== element) for (const name of ['focus', 'focusin']) element.dispatchEvent(new FocusEvent(name, { bubbles: name === 'focusin' }))
    const pressed = on('click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'dblclick')
    if (isChoice(element)) { if (!pressed && on('input', 'change')) element.click() }
    else if (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && on('input', 'change', 'keyup', 'keydown', 'keypress', 'blur')) { again(element); keys(element, 't') }
    if (pressed) {
      // What nobody hears is read when something is pressed.
      if (native(element)) for (const one of all(document, []).filter((field) => /^(INPUT|TEXTAREA)$/.test(field.tagName) && seen(field)).slice(0, 20)) fill(one)
      for (const name of ['pointerdown', 'mousedown']) send(element, name)
      if (on('touchstart', 'touchend')) for (const name of ['touchstart', 'touchend']) element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true, composed: true }))
      // What waits for a long press does nothing when it is clicked.
      if (!on('click') && on('mousedown', 'pointerdown', 'touchstart')) await wait(1000)
      for (const name of ['pointerup', 'mouseup']) send(element, name)
      if (typeof element.click === 'function') element.click()
      else send(element, 'click')
    }
    if (on('dblclick')) send(element, 'dblclick', { detail: 2 })
    if (on('contextmenu')) send(element, 'contextmenu', { button: 2 })
    if (on('keydown', 'keypress', 'keyup')) keys(element, 'Enter')
    if (on('dragstart')) drag(element)
    if (on('wheel')) send(element, 'wheel', { deltaY: 400 })
    if (on('blur')) element.blur()
  }`

/** Does with the element of this key all that it listens for. True when there was one. */
export const actOn = (wanted: string): string => `(async () => {
  ${DEEP}
  ${CANDIDATES}
  ${DEEDS}
  const found = candidates.find(({ element }) => key(element) === ${JSON.stringify(wanted)})
  if (found) await act(found.element, found.events)
  return Boolean(found)
})()`

/** Scrolls to the end while that makes the page longer, lists within it too. */
export const SCROLL = `(async () => {
  ${DEEP}
  const wait = (ms) => new Promise((done) => setTimeout(done, ms))
  sonde.since = performance.now()
  for (let round = 0, before = -1; round < 4 && document.documentElement.scrollHeight > before; round += 1) {
    before = document.documentElement.scrollHeight
    for (const one of all(document, [])) if (one.scrollHeight > one.clientHeight + 40 && one.clientHeight > 60 && /auto|scroll/.test(getComputedStyle(one).overflowY)) one.scrollTop = one.scrollHeight
    scrollTo(0, before)
    dispatchEvent(new Event('scroll'))
    await wait(150)
  }
})()`

/** Gives `{state, changes, timers}`: what the page looks like apart from its text, and whether it is still at work. */
export const STATE = `(() => {
  ${DEEP}
  let hash = 0x811c9dc5
  for (const element of all(document.body || document, [])) {
    if (!element.offsetParent && element.tagName !== 'BODY') continue
    const text = element.tagName + (element.getAttribute('role') || '') + (element.hidden ? 'h' : '')
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16) + location.pathname + location.hash
})()`

/** Gives what the page shows: its elements, their text and addresses, without what it repeats of its own address. */
export const OUTLINE = `(() => {
  ${DEEP}
  const shown = all(document.body || document, []).filter((element) => !/^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/i.test(element.tagName)).map((element) => element.tagName + (element.children.length === 0 ? ' ' + (element.textContent || '').trim() : '')).join('\\n')
  return [location.href, location.pathname].reduce((text, own) => own.length > 1 ? text.replaceAll(own, '') : text, shown).slice(0, 20000)
})()`

/** Gives `[changes, timers]`: how often the document changed so far, and how many short timers are still to run. */
export const WORK = `(() => { const { changes = 0, routes = [], timers } = window.__sonde || {}; return [changes + routes.length, timers ? timers.size : 0] })()`
