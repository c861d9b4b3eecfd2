/** Products and their rules as plain JSON, for a build; a pattern is made when it is asked for, which most are not. */
import { literalsOf } from './literal.ts'
import type { Product, Rule } from './product.ts'

type RuleRow = Omit<Rule, 'pattern' | 'literals'> & {
  readonly text: string
  readonly flags: string
  readonly literals: readonly string[]
}
type ProductRow = Omit<Product, 'rules'> & { readonly rules: readonly RuleRow[] }

export const tableOf = (products: readonly Product[]): readonly ProductRow[] =>
  products.map(({ rules, ...about }) => ({ ...about, rules: rules.map(rowOf) }))

const rowOf = ({ pattern, ...about }: Rule): RuleRow => ({
  ...about,
  text: pattern.source,
  flags: pattern.flags,
  literals: literalsOf(pattern),
})

/** Of what `tableOf` has made. */
export const productsIn = (table: unknown): readonly Product[] =>
  (table as readonly ProductRow[]).map(({ rules, ...about }) => ({ ...about, rules: rules.map(ruleOf) }))

const ruleOf = ({ text, flags, ...about }: RuleRow): Rule => {
  let made: RegExp | null = null
  return {
    ...about,
    get pattern() {
      made ??= new RegExp(text, flags)
      return made
    },
  }
}
