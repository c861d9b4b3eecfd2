/** Types canaries into the fields of a page, key by key as a person would, and takes care that nothing is submitted. */
import type { Frame, Page } from 'playwright-core'
import { sleep } from '../../../contract/sleep.ts'
import type { Canary, CanaryField } from './canaries.ts'
import type { Profile } from './profile.ts'
import { unreadable } from './snapshot.ts'
import { within } from './times.ts'

const KEY_DELAY = 3
/** Milliseconds of rest between fields: capture scripts wait for a pause, and the next field would take its place. */
const PAUSE = 500

/** Number of fields that were typed into. The caller waits for scripts that wait for a pause. */
export const typeCanaries = async (
  profile: Profile,
  page: Page,
  canaries: readonly Canary[],
  isOwn: (url: string) => boolean,
  most: number,
): Promise<number> => {
  let typed = 0
  let last = Number.NEGATIVE_INFINITY
  // Frames of others, such as a payment service's, are not the site's fields.
  const frames = page.frames().filter((frame) => frame === page.mainFrame() || isOwn(frame.url()))
  for (const frame of frames.slice(0, 5)) {
    const fields = await within('looking for fields', frame.evaluate<readonly CanaryField[]>(FIELDS), 2_000).catch(
      unreadable,
    )
    if (fields.length > 0) profile.log.typing()
    for (const [index, field] of fields.slice(0, Math.max(0, most - typed)).entries()) {
      const value = canaries.find((one) => one.field === field)?.value
      if (value === undefined || profile.left() < 3_000) continue
      if (!(await focus(frame, index))) continue
      const rest = PAUSE - (performance.now() - last)
      if (rest > 0) await sleep(rest, profile.signal)
      await within('typing', page.keyboard.type(value, { delay: KEY_DELAY }), 4_000).catch(unreadable)
      last = performance.now()
      typed += 1
    }
    if (fields.length > 0) await within('leaving a field', frame.evaluate(LEAVE), 1_000).catch(unreadable)
  }
  return typed
}

const focus = async (frame: Frame, index: number): Promise<boolean> => {
  const focused = await within('focusing', frame.evaluate<boolean>(`(${FOCUS})(${index})`), 1_000).catch(unreadable)
  return focused === true
}

/** Kinds of the fields that can be typed into, in order; stops all submitting first. */
const FIELDS = `(() => {
  window.addEventListener('submit', (event) => { event.preventDefault(); event.stopImmediatePropagation() }, true)
  HTMLFormElement.prototype.submit = function () {}
  HTMLFormElement.prototype.requestSubmit = function () {}
  const kinds = { email: 'e-mail', password: 'password', tel: 'phone', text: 'text', search: 'text', '': 'text' }
  const fields = [...document.querySelectorAll('input, textarea')].filter((field) => {
    const box = field.getBoundingClientRect()
    return !field.disabled && !field.readOnly && box.width > 0 && box.height > 0 &&
      (field.tagName === 'TEXTAREA' || (field.getAttribute('type') || '').toLowerCase() in kinds)
  }).slice(0, 12)
  window.__sondeFields = fields
  return fields.map((field) => {
    const type = field.tagName === 'TEXTAREA' ? 'text' : (field.getAttribute('type') || '').toLowerCase()
    const words = [field.name, field.id, field.autocomplete, field.placeholder].join(' ')
    if (type !== 'password' && /e-?mail/i.test(words)) return 'e-mail'
    if (/phone|tel(?!l)|mobil/i.test(words) && type !== 'password') return 'phone'
    return kinds[type] || 'text'
  })
})()`

const FOCUS = `(index) => {
  const field = (window.__sondeFields || [])[index]
  if (!field || !field.isConnected) return false
  field.focus()
  return (field.getRootNode().activeElement || document.activeElement) === field
}`

const LEAVE = `(() => {
  const field = document.activeElement
  if (field && field.blur) field.blur()
  return true
})()`
