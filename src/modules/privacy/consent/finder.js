/**
 * Runs inside a frame: everything that can be pressed, with the box it stands in. Elements stay in the page, by number;
 * what the words mean is decided outside. `root` is the document or a closed shadow root.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the text that is put around it
function find(root, store, subframe) {
  const CLICKABLE = 'button, a, summary, [role=button], [role=link], [onclick], input[type=button], input[type=submit]'
  if (!window[store]) Object.defineProperty(window, store, { value: [], enumerable: false })
  const kept = window[store]
  const all = (node, into) => {
    for (const element of node.querySelectorAll('*')) {
      if (into.length >= 20_000) return into
      into.push(element)
      if (element.shadowRoot) all(element.shadowRoot, into)
    }
    return into
  }
  const parentOf = (element) => element.parentElement || element.getRootNode().host || null
  const visible = (element) => {
    const { width, height } = element.getBoundingClientRect()
    if (width < 2 || height < 2) return false
    return element.checkVisibility
      ? element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
      : getComputedStyle(element).visibility !== 'hidden'
  }
  const textOf = (element) =>
    (element.innerText || element.value || element.getAttribute('aria-label') || element.title || '')
      .trim()
      .replace(/\s+/g, ' ')
  /** Text of an element with all that is slotted or shadowed inside. */
  const deepText = (element) => {
    let text = element.innerText || ''
    for (const inner of element.querySelectorAll('*')) if (inner.shadowRoot) text += ` ${shadowText(inner.shadowRoot)}`
    if (element.shadowRoot) text += ` ${shadowText(element.shadowRoot)}`
    if (root.host && element.contains(root.host)) text += ` ${shadowText(root)}`
    return text.replace(/\s+/g, ' ').trim()
  }
  const shadowText = (shadow) => [...shadow.children].map((child) => child.innerText || '').join(' ')
  const NAMED = /cookie|consent|gdpr|dsgvo|privacy|cmp[-_]|datenschutz|rgpd/i
  const boxOf = (element) => {
    let fallback = null
    let named = null
    let outermost = element
    for (let one = parentOf(element), depth = 0; one && depth < 25; one = parentOf(one), depth += 1) {
      if (one === document.body || one === document.documentElement) break
      outermost = one
      const style = getComputedStyle(one)
      const role = one.getAttribute('role') || ''
      if (one.tagName === 'DIALOG' || /^(alert)?dialog$/.test(role) || one.getAttribute('aria-modal') === 'true')
        return { box: one, position: 'dialog' }
      if (style.position === 'fixed' || style.position === 'sticky') return { box: one, position: 'fixed' }
      if (style.position === 'absolute' && Number(style.zIndex) >= 10) return { box: one, position: 'fixed' }
      const length = (one.innerText || '').length
      if (length < 4_000 && NAMED.test(`${one.id} ${one.className}`)) named = one
      if (!fallback && length >= 60 && length < 3_000) fallback = one
    }
    if (named) return { box: named, position: 'named' }
    if (subframe && document.body) return { box: document.body, position: 'frame' }
    // A short footer is no dialog, but the way back to the choice often stands in one.
    return fallback ? { box: fallback, position: 'flow' } : { box: outermost, position: 'page' }
  }

  // ---- colours (WCAG 2.2, relative luminance)

  const colourOf = (text) => {
    const parts = /rgba?\(([^)]+)\)/
      .exec(text)?.[1]
      .split(/[,/ ]+/)
      .map(Number)
    return parts && parts.length >= 3 ? { r: parts[0], g: parts[1], b: parts[2], a: parts[3] ?? 1 } : null
  }
  const groundOf = (element) => {
    for (let one = element; one; one = parentOf(one)) {
      const style = getComputedStyle(one)
      if (style.backgroundImage !== 'none' && one === element) return null
      const colour = colourOf(style.backgroundColor)
      if (colour && colour.a > 0.5) return colour
    }
    return { r: 255, g: 255, b: 255, a: 1 }
  }
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const contrast = (one, other) => {
    if (!one || !other) return null
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return Math.round(((high + 0.05) / (low + 0.05)) * 100) / 100
  }

  const selectorOf = (element) => {
    const parts = []
    for (let one = element; one && parts.length < 5; one = parentOf(one)) {
      if (one.id) {
        parts.unshift(`#${one.id}`)
        break
      }
      const name = (typeof one.className === 'string' && one.className.trim().split(/\s+/)[0]) || ''
      parts.unshift(one.tagName.toLowerCase() + (name ? `.${name}` : ''))
    }
    return parts.join(' > ').slice(0, 300)
  }

  // ---- collecting

  const boxes = new Map()
  const elements = all(root, [])
  const numbered = (element) => {
    const known = kept.indexOf(element)
    return known >= 0 ? known : kept.push(element) - 1
  }
  const entryOf = (found) => {
    let entry = boxes.get(found.box)
    if (!entry) {
      const { x, y, width, height } = found.box.getBoundingClientRect()
      entry = {
        position: found.position,
        text: deepText(found.box).slice(0, 4_000),
        box: { x, y, width, height },
        ground: groundOf(found.box),
        buttons: [],
        ticks: [],
      }
      boxes.set(found.box, entry)
    }
    return entry
  }
  for (const element of elements) {
    const clickable =
      element.matches(CLICKABLE) ||
      (element.children.length === 0 && element.innerText && getComputedStyle(element).cursor === 'pointer')
    if (!clickable || element.disabled || !visible(element)) continue
    if (element.parentElement?.closest('button, a, [role=button]')) continue
    const text = textOf(element)
    if (text === '' || text.length > 90) continue
    const found = boxOf(element)
    // However many lists of links a page has: dialogs are often last in the document.
    if (boxes.size > (found.position === 'flow' || found.position === 'page' ? 60 : 120)) continue
    const entry = entryOf(found)
    if (entry.buttons.length >= 40) continue
    const style = getComputedStyle(element)
    const ground = groundOf(element)
    const { x, y, width, height } = element.getBoundingClientRect()
    const plain = (colourOf(style.backgroundColor)?.a ?? 0) < 0.1 && Number.parseFloat(style.borderTopWidth) < 1
    entry.buttons.push({
      index: numbered(element),
      text,
      href: element.href && typeof element.href === 'string' ? element.href.slice(0, 500) : null,
      selector: selectorOf(element),
      x,
      y,
      width,
      height,
      fontSize: Number.parseFloat(style.fontSize) || 0,
      look: plain && style.backgroundImage === 'none' ? 'link' : 'button',
      contrast: contrast(colourOf(style.color), ground),
      prominence: contrast(ground, entry.ground),
    })
  }
  for (const element of elements) {
    if (!element.matches('input[type=checkbox], [role=switch], [role=checkbox]')) continue
    const found = boxOf(element)
    const entry = boxes.get(found.box)
    if (!entry || entry.ticks.length >= 30) continue
    const label = element.labels?.[0] ?? element.closest('label') ?? element
    entry.ticks.push({
      index: numbered(element),
      label: (textOf(label) || element.getAttribute('aria-label') || element.name || element.id || '').slice(0, 120),
      checked: element.checked === true || element.getAttribute('aria-checked') === 'true',
      disabled: element.disabled === true || element.getAttribute('aria-disabled') === 'true',
      shown: visible(element) || visible(label),
    })
  }

  // ---- can the page be used beside it

  let covered = 0
  for (const x of [0.15, 0.5, 0.85])
    for (const y of [0.15, 0.5, 0.85]) {
      for (let one = document.elementFromPoint(innerWidth * x, innerHeight * y); one; one = parentOf(one)) {
        if (one === document.body || one === document.documentElement) break
        if (getComputedStyle(one).position === 'fixed' || one.tagName === 'DIALOG') {
          covered += 1
          break
        }
      }
    }
  return { boxes: [...boxes.values()].map(({ ground, ...entry }) => entry), covered: covered / 9 }
}
