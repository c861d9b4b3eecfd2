/** Cookies of a header, and what answers do to them. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { isRemoval, parseSetCookie } from '../../../page/cookies/set-cookie.ts'

export const pairsOf = (cookie: string | null): ReadonlyMap<string, string> =>
  new Map(
    (cookie ?? '').split(';').flatMap((pair): (readonly [string, string])[] => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, Math.max(at, 0)).trim()
      return name === '' ? [] : [[name, pair.slice(at + 1).trim()]]
    }),
  )

/** Null for none. */
export const cookieOf = (pairs: Iterable<readonly [string, string]>): string | null => {
  const lines = [...pairs].map(([name, value]) => `${name}=${value}`)
  return lines.length === 0 ? null : lines.join('; ')
}

/** As a browser has them after the answer. */
export const afterAnswer = (cookie: string | null, { headers }: Pick<HttpExchange, 'headers'>): string | null => {
  const kept = new Map(pairsOf(cookie))
  for (const [name, line] of headers) {
    if (name.toLowerCase() === 'clear-site-data' && /"(?:cookies|\*)"/.test(line)) kept.clear()
    const set = name.toLowerCase() === 'set-cookie' ? parseSetCookie(line) : null
    if (set === null) continue
    if (set.value === '' || isRemoval(set, Date.now())) kept.delete(set.name)
    else kept.set(set.name, set.value)
  }
  return cookieOf(kept)
}
