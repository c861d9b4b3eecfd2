import type { Page } from '../../../../page/page.ts'
import { combined } from '../../../../page/pages.ts'
import { embedderPolicyOf, openerPolicyOf, resourcePolicyOf } from '../cross-origin-isolation.ts'
import { framingOf } from '../framing.ts'
import { referrerPolicyOf } from '../referrer-policy.ts'
import { isNosniff } from '../x-content-type-options.ts'
import type { Modifier } from './grade.ts'

export const scoreReferrerPolicy = (page: Page): Modifier => {
  const { kind } = referrerPolicyOf(page)
  return { id: `referrer-policy-${kind}`, points: kind === 'private' ? 5 : kind === 'missing' ? 0 : -5 }
}

export const scoreSniffing = (page: Page): Modifier =>
  isNosniff(page)
    ? { id: 'x-content-type-options-nosniff', points: 0 }
    : { id: 'x-content-type-options-missing-or-invalid', points: -5 }

/** ALLOW-FROM costs nothing in the Observatory, although browsers ignore it. */
export const scoreFraming = (page: Page): Modifier => {
  const state = framingOf(page)
  if (state.kind === 'restricted') return { id: `x-frame-options-by-${state.by}`, points: 5 }
  if (state.kind === 'invalid' && /^allow-from\b/i.test(combined(page.headers, 'x-frame-options') ?? '')) {
    return { id: 'x-frame-options-allow-from', points: 0 }
  }
  return { id: 'x-frame-options-missing-or-invalid', points: -20 }
}

export const scoreIsolation = (page: Page): readonly Modifier[] => {
  const row = ({ kind, name, value }: ReturnType<typeof openerPolicyOf>, good: readonly string[]): Modifier => {
    if (kind === 'invalid') return { id: `${name}-invalid`, points: -5 }
    return good.includes(value) ? { id: `${name}-${value}`, points: 10 } : { id: `${name}-open`, points: 0 }
  }
  return [
    row(resourcePolicyOf(page.headers), ['same-origin', 'same-site']),
    row(embedderPolicyOf(page.headers), ['require-corp', 'credentialless']),
    row(openerPolicyOf(page.headers), ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups']),
  ]
}
