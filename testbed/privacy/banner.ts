/** A consent dialog by hand, with one knob for each trick. */

export interface Banner {
  readonly lang?: string
  readonly text?: string
  /** Label, or null for no such button. */
  readonly accept?: string | null
  readonly reject?: string | null
  readonly settings?: string | null
  readonly save?: string
  /** Scripts that run after the choice, now and at each later visit. */
  readonly onAccept?: string
  readonly onReject?: string
  /** Where the choice is kept. `nowhere` asks again each time. */
  readonly store?: 'cookie' | 'localStorage' | 'nowhere'
  /** Boxes of the second layer: label → ticked. The necessary one is always there, ticked and locked. */
  readonly boxes?: Readonly<Record<string, boolean>>
  /** Where refusing is possible: on the first layer or only on the second. */
  readonly rejectOn?: 1 | 2
  /** Covers the page. */
  readonly covers?: boolean
  /** Style of the button that refuses. */
  readonly rejectStyle?: string
  readonly acceptStyle?: string
  /** Shows a way back to the choice. Default true. */
  readonly revisit?: boolean
  /** In a shadow root, open or closed, or in a frame (the caller then serves `bannerFrame`). */
  readonly within?: 'page' | 'open-shadow' | 'closed-shadow'
  /** Milliseconds until it comes up. */
  readonly delay?: number
}

/** Loads a script or image of somebody else. */
export const load = (...urls: readonly string[]): string =>
  urls
    .map((url) => `{const s=document.createElement('script');s.src=${JSON.stringify(url)};document.head.append(s)}`)
    .join('')
export const ping = (url: string): string => `new Image().src=${JSON.stringify(url)};`

const BUTTON = 'font:16px sans-serif;padding:10px 20px;border:1px solid #222;background:#1a5276;color:#fff;margin:4px'
const TEXT =
  'We use cookies and similar techniques to measure visits and to show advertisements of partners. You can give or refuse your consent, and change it at any time.'

export const banner = (options: Banner = {}): string => {
  const { accept = 'Accept all', reject = 'Reject all', settings = null, store = 'cookie', rejectOn = 1 } = options
  const config = {
    text: options.text ?? TEXT,
    accept,
    reject,
    settings,
    save: options.save ?? 'Save selection',
    store,
    rejectOn,
    boxes: options.boxes ?? {},
    covers: options.covers ?? false,
    acceptStyle: options.acceptStyle ?? BUTTON,
    rejectStyle: options.rejectStyle ?? BUTTON,
    revisit: options.revisit ?? true,
    within: options.within ?? 'page',
    delay: options.delay ?? 0,
  }
  return `<script>(${DIALOG})(${JSON.stringify(config).replaceAll('<', '\\u003c')},
()=>{${options.onAccept ?? ''}},()=>{${options.onReject ?? ''}})</script>`
}

/** Runs in the page. */
const DIALOG = `(o, onAccept, onReject) => {
  const KEY = 'cookie_consent'
  const stored = () => o.store === 'cookie'
    ? (/(?:^|; )cookie_consent=(\\w+)/.exec(document.cookie) || [])[1]
    : o.store === 'localStorage' ? localStorage.getItem(KEY) : null
  const keep = (value) => {
    if (o.store === 'cookie') document.cookie = KEY + '=' + value + '; Max-Age=15552000; Path=/; Secure; SameSite=Lax'
    if (o.store === 'localStorage') localStorage.setItem(KEY, value)
  }
  const host = document.createElement('div')
  const root = o.within === 'page' ? host : host.attachShadow({ mode: o.within === 'open-shadow' ? 'open' : 'closed' })
  const button = (label, style, act) => {
    const b = document.createElement('button')
    b.type = 'button'; b.textContent = label; b.style.cssText = style; b.addEventListener('click', act)
    return b
  }
  const close = () => host.remove()
  const decide = (value) => {
    const before = stored()
    keep(value); close()
    // What runs can only be stopped by leaving the page.
    if (before === 'all' && value === 'none') location.reload()
    else if (value === 'all') onAccept()
    else onReject()
  }
  const layerTwo = (box) => {
    box.replaceChildren()
    const text = document.createElement('p'); text.textContent = o.text; box.append(text)
    const ticks = []
    const tick = (label, on, locked) => {
      const l = document.createElement('label'), i = document.createElement('input')
      i.type = 'checkbox'; i.checked = on; i.disabled = locked; if (!locked) ticks.push(i)
      l.append(i, ' ' + label); l.style.display = 'block'; box.append(l)
    }
    tick('Necessary', true, true)
    for (const [label, on] of Object.entries(o.boxes)) tick(label, on, false)
    if (o.accept !== null) box.append(button(o.accept, o.acceptStyle, () => decide('all')))
    if (o.reject !== null) box.append(button(o.reject, o.rejectStyle, () => decide('none')))
    box.append(button(o.save, o.acceptStyle, () => decide(ticks.some((t) => t.checked) ? 'all' : 'none')))
  }
  const show = () => {
    const box = document.createElement('div')
    box.setAttribute('role', 'dialog'); box.setAttribute('aria-label', 'Cookies')
    box.style.cssText = (o.covers ? 'inset:0;' : 'left:0;right:0;bottom:0;')
      + 'position:fixed;z-index:9999;background:#fff;color:#111;padding:20px;border-top:2px solid #333;font:16px sans-serif'
    const text = document.createElement('p'); text.textContent = o.text; box.append(text)
    if (o.accept !== null) box.append(button(o.accept, o.acceptStyle, () => decide('all')))
    if (o.reject !== null && o.rejectOn === 1) box.append(button(o.reject, o.rejectStyle, () => decide('none')))
    if (o.settings !== null) box.append(button(o.settings, o.acceptStyle, () => layerTwo(box)))
    root.replaceChildren(box); document.body.append(host)
  }
  const start = () => {
    if (o.revisit) {
      const again = document.createElement('a')
      again.href = '#'; again.textContent = 'Cookie settings'; again.id = 'again'
      again.addEventListener('click', (e) => { e.preventDefault(); show() })
      document.body.append(again)
    }
    const choice = stored()
    if (choice === 'all') onAccept(); else if (choice === 'none') onReject(); else setTimeout(show, o.delay)
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start); else start()
}`
