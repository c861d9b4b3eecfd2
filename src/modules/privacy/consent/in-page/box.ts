/** The box that an element stands in: a dialog where there is one. */
import type { FoundBox } from '../found.ts'
import { innerTextOf, parentOf } from './tree.ts'

export interface Place {
  readonly box: Element
  readonly position: FoundBox['position']
}

const NAMED = /cookie|consent|gdpr|dsgvo|privacy|cmp[-_]|datenschutz|rgpd/i
const MOST_LEVELS = 25

const isTop = (element: Element): boolean => element === document.body || element === document.documentElement

export const placeOf = (element: Element, subframe: boolean): Place => {
  let fallback: Element | null = null
  let named: Element | null = null
  let outermost = element
  for (let one = parentOf(element), depth = 0; one && depth < MOST_LEVELS; one = parentOf(one), depth += 1) {
    if (isTop(one)) break
    outermost = one
    const position = positionOf(one)
    if (position !== null) return { box: one, position }
    const { length } = innerTextOf(one)
    if (length < 4_000 && NAMED.test(`${one.id} ${one.className}`)) named = one
    if (!fallback && length >= 60 && length < 3_000) fallback = one
  }
  if (named) return { box: named, position: 'named' }
  if (subframe && document.body) return { box: document.body, position: 'frame' }
  // A short footer is no dialog, but the way back to the choice often stands in one.
  return fallback ? { box: fallback, position: 'flow' } : { box: outermost, position: 'page' }
}

const positionOf = (element: Element): 'dialog' | 'fixed' | null => {
  const { position, zIndex } = getComputedStyle(element)
  const role = element.getAttribute('role') || ''
  if (element.tagName === 'DIALOG' || /^(alert)?dialog$/.test(role) || element.getAttribute('aria-modal') === 'true')
    return 'dialog'
  const over = position === 'fixed' || position === 'sticky' || (position === 'absolute' && Number(zIndex) >= 10)
  return over ? 'fixed' : null
}

const SHARES = [0.15, 0.5, 0.85]

/** Share of nine points of the page that something fixed lies over: whether the page can be used beside it. */
export const coveredShare = (): number => {
  const points = SHARES.flatMap((x) => SHARES.map((y) => document.elementFromPoint(innerWidth * x, innerHeight * y)))
  return points.filter(isUnderFixed).length / points.length
}

const isUnderFixed = (element: Element | null): boolean => {
  for (let one = element; one && !isTop(one); one = parentOf(one))
    if (getComputedStyle(one).position === 'fixed' || one.tagName === 'DIALOG') return true
  return false
}
