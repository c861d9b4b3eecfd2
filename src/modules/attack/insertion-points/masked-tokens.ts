/**
 * Tokens that stand on each page in other letters and hold for the session all the same: frameworks mask them, as what is compressed beside
 * a secret tells its length (BREACH, CVE-2013-3587).
 */
import type { Minted } from './freshness.ts'

/**
 * As these frameworks write them: Django (64 letters and digits), Rails and Yii (twice 32 bytes in base 64), Spring Security (twice 36), ASP.NET (data that it has
 * encrypted), Symfony (key, mask and masked), Flask-WTF (signed with the moment).
 */
const MASKED: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^csrfmiddlewaretoken$/, /^[A-Za-z\d]{64}$/],
  [/^(?:authenticity_token|_csrf(?:-\w+)?)$/, /^[\w+/-]{86}(?:==)?$/],
  [/^_csrf$/, /^[\w-]{96}$/],
  [/^__RequestVerificationToken$/, /^[\w-]{80,}$/],
  [/(?:^|\[)_(?:csrf_)?token\]?$/, /^[\w-]+\.[\w-]{20,}\.[\w-]{20,}$/],
  [/^csrf_token$/, /^I[\w-]+\.[\w-]+\.[\w-]{20,}$/],
]
/** Of those that a header brings back. */
const IN_HEADERS = /^(?:[A-Za-z\d]{64}|[\w+/-]{86}(?:==)?|[\w-]{96})$/

/** Whether nothing but such tokens differs in two answers of one page. */
export const differMaskedOnly = (one: Minted | null, other: Minted | null): boolean => {
  if (one === null || other === null || one.cookies !== other.cookies || one.values.size !== other.values.size)
    return false
  const fields = [...one.values].every(([name, value]) => {
    const now = other.values.get(name)
    return now === value || (now !== undefined && isMasked(name, value) && isMasked(name, now))
  })
  return fields && headersAlike(one.carried, other.carried)
}

const isMasked = (name: string, value: string): boolean =>
  MASKED.some(([named, written]) => named.test(name) && written.test(value))

const headersAlike = (one: Minted['carried'], other: Minted['carried']): boolean => {
  if (one === undefined || other === undefined) return one === other
  const [before, now] = [one.headers, other.headers]
  return (
    one.cookies === other.cookies &&
    before.length === now.length &&
    before.every(([name, value], at) => {
      const [called, today = ''] = now[at] ?? []
      return called === name && (today === value || (IN_HEADERS.test(value) && IN_HEADERS.test(today)))
    })
  )
}
