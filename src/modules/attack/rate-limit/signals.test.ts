import { describe, expect, it } from 'vitest'
import type { Answer } from './facts.ts'
import { signalOf, signalOfSilence } from './signals.ts'
import { answer, answers } from './testing/answers.ts'

describe('signs of a limit', () => {
  it.each([
    ['429', [answer(), answer({ status: 429, retryAfter: '60' })], '', 'status'],
    ['refused where it was let in before', [answer(), answer(), answer({ status: 403 })], '', 'status'],
    ['Retry-After with success', [answer(), answer({ retryAfter: '5' })], '', 'retry-after'],
    ['captcha', answers(4), '<div class="g-recaptcha">', 'captcha'],
    ['words', answers(4), 'Too many attempts, try again later', 'other-page'],
    ['another page', [...answers(5), answer({ likeness: 0.2 })], 'bye', 'other-page'],
    ['delay', [...answers(8), ...answers(5, { ms: 900 })], '', 'delay'],
    ['a delay that grows', [120, 1_900, 4_000, 8_000].map((ms) => answer({ ms })), '', 'delay'],
  ] as const)('%s', (_name, given, last, kind) => {
    expect(signalOf(given, 'Wrong password', last)?.kind).toBe(kind)
  })

  it.each([
    ['the first answer', [answer({ status: 403 })], 'captcha'],
    ['401 to every wrong password', answers(10, { status: 401 }), ''],
    ['a page that is another one each time', [answer(), ...answers(9, { likeness: 0.3 })], ''],
    ['a captcha that was there from the start', answers(4), 'First page with captcha'],
    ['one that grows by chance', [20, 30, 45, 60].map((ms) => answer({ ms })), ''],
    ['one that comes and goes', [800, 2_000, 900, 4_000].map((ms) => answer({ ms })), ''],
    ['slow by a little', [...answers(8), ...answers(5, { ms: 80 })], ''],
  ] as const)('none: %s', (_name, given, last) => {
    expect(signalOf(given, last.includes('captcha') ? last : 'Wrong password', last)).toBeNull()
  })
})

describe('an attempt without an answer', () => {
  const waits = (...ms: readonly number[]): Answer[] => ms.map((one) => answer({ ms: one }))
  it.each([
    ['after waits that grow', waits(700, 1_500), 40, 'delay'],
    ['after one slow answer', waits(900), 40, null],
    ['after answers that were as slow', waits(900, 950), 40, null],
    ['after waits that grow, of a server that is slow as a whole', waits(700, 1_500), 1_400, null],
    ['after waits that grow, of one that is gone', waits(700, 1_500), null, null],
    ['after many', waits(20, 20, 20), null, 'cut'],
  ] as const)('%s', (_name, before, page, kind) => {
    expect(signalOfSilence(before, page, 10_000)?.kind ?? null).toBe(kind)
  })
})
