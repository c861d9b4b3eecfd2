/** Values of expressions. Strings are byte strings. */
export type Value = string | number | boolean | null | readonly Value[]

/** Looks a variable up; undefined where there is none. */
export type Lookup = (name: string) => Value | undefined

/** An expression that cannot be evaluated: it matches nothing, and says why. */
export class DslError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DslError'
  }
}

/** As text that goes into a request or a comparison: whole numbers without a fraction, lists in brackets. */
export const textOf = (value: Value): string => {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value === 'object') return `[${value.map(textOf).join(' ')}]`
  return String(value)
}

export const numberOf = (value: Value, what: string): number => {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  throw new DslError(`${what} has to be a number`)
}
