/** Short forms to define helper functions with. */
import type { DslFunction, FunctionContext } from './functions.ts'
import { textOf, type Value } from './value.ts'

export const on = (
  min: number,
  max: number,
  call: (args: readonly Value[], context: FunctionContext) => Value,
): DslFunction => ({ min, max, call })

/** Of one text. */
export const onText = (call: (text: string) => Value): DslFunction => on(1, 1, ([value = '']) => call(textOf(value)))

/** Of so many texts. */
export const onTexts = (count: number, call: (...texts: string[]) => Value): DslFunction =>
  on(count, count, (args) => call(...args.map(textOf)))

/** The items of a list, or the value itself. */
export const itemsOf = (values: readonly Value[]): readonly Value[] => {
  const [first] = values
  return values.length === 1 && Array.isArray(first) ? (first as readonly Value[]) : values
}

export const texts = (values: readonly Value[]): readonly string[] =>
  values.flatMap((value) => (typeof value === 'object' && value !== null ? value.map(textOf) : [textOf(value)]))
