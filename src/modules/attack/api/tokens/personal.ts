/** Claims that say more of a person than a token has to. */

const NAMED =
  /^(?:e-?mail|mail|phone(?:_number)?|mobile|birth(?:date|day)|dob|address|street|ssn|iban|tax_?id|passport|pass(?:word|wd|_hash)?|pwd|password_?hash|secret|api_?key)$/i
const MAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/

/** Claims may lie in others: `data.email`. */
export const personalClaims = (claims: Readonly<Record<string, unknown>>): readonly string[] =>
  claimsIn(claims, '', 0)
    .filter(({ name, value }) => {
      if (value === null || value === '') return false
      if (typeof value === 'object') return NAMED.test(name)
      if (typeof value !== 'string' && typeof value !== 'number') return false
      return NAMED.test(name) || (typeof value === 'string' && MAIL.test(value))
    })
    .map(({ path }) => path)
    .slice(0, 20)

const DEEPEST = 3
const MOST = 200

const claimsIn = (
  holder: Readonly<Record<string, unknown>>,
  before: string,
  depth: number,
): readonly { readonly path: string; readonly name: string; readonly value: unknown }[] =>
  Object.entries(holder)
    .slice(0, MOST)
    .flatMap(([name, value]) => {
      const path = `${before}${name}`
      const own = { path, name, value }
      if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= DEEPEST) return [own]
      // What has a name for it as a whole is told once.
      return NAMED.test(name) ? [own] : claimsIn(value as Readonly<Record<string, unknown>>, `${path}.`, depth + 1)
    })
