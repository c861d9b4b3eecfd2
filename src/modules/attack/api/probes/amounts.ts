/** How prices are named and written. */
import { randomInt } from 'node:crypto'
import { withoutEntities } from '../../../../page/entities.ts'
import { wordsApart } from '../../../../page/names.ts'

/** What a thing costs, by the last word of its name without a currency. */
const PRICE = /^(?:price|cost|fee|fare|amount|subtotal|preis|betrag|prix|montant|precio|importe|prezzo|importo)$/i
const CURRENCY = /[_-]?(?:cents?|eur|usd|gbp|chf)\]?$/i
export const NUMBER = /^\d{1,6}(?:[.,]\d{1,2})?$/

/** `order[unitPrice]`: price. */
export const lastWordOf = (name: string): string =>
  wordsApart(name)
    .match(/\p{L}+/gu)
    ?.at(-1) ?? ''

export const isPriceName = (name: string): boolean => PRICE.test(lastWordOf(name.replace(CURRENCY, '')))

/** Of as many digits as the one of the request, and as many behind its sign; never the same. */
export const otherPrice = (value: string): string => {
  const sign = /[.,]/.exec(value)?.[0]
  const whole = String(randomInt(101, 989))
  if (sign === undefined) return whole === value ? String(Number(whole) + 1) : whole
  return `${whole}${sign}${String(randomInt(11, 98))}`
}

const NUMBERS = /(?<![\w.,-])-?\d{1,9}(?:[.,]\d{1,2})?(?![\w]|[.,]\d)/g

/** Numbers of a text as `12.50` and `-3`. */
export const numbersIn = (text: string): ReadonlySet<string> =>
  new Set((withoutEntities(text).replaceAll('\u2212', '-').match(NUMBERS) ?? []).map((one) => one.replace(',', '.')))
