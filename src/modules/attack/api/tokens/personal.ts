/** Claims that say more of a person than a token has to. */

const NAMED =
  /^(?:e-?mail|mail|phone(?:_number)?|mobile|birth(?:date|day)|dob|address|street|ssn|iban|tax_?id|passport|pass(?:word|wd|_hash)?|pwd|password_?hash|secret|api_?key)$/i
const MAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/

export const personalClaims = (claims: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(claims)
    .filter(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'object') return false
      if (value === null || value === '') return false
      return NAMED.test(name) || (typeof value === 'string' && MAIL.test(value))
    })
    .map(([name]) => name)
    .slice(0, 20)
