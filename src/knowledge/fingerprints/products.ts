/** All products that are known, from the files under rules/. Read once. */
import { readdirSync, readFileSync } from 'node:fs'
import { tableOfBuild } from '../tables-of-build.ts'
import { parseRules } from './parse.ts'
import type { Product } from './product.ts'
import { productsIn } from './table.ts'

const FOLDER = new URL('./rules/', import.meta.url)

/** Changes with the rules; a run records it. */
export const FINGERPRINTS_VERSION = '2026.11'

let all: readonly Product[] | null = null

/** @throws RuleError when a rule file is wrong */
export const allProducts = (): readonly Product[] => {
  if (all !== null) return all
  const table = tableOfBuild('products')
  all = table === null ? readProducts() : productsIn(table)
  return all
}

const readProducts = (): readonly Product[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.rules'))
    .toSorted()
    .flatMap((file) => parseRules(readFileSync(new URL(file, FOLDER), 'utf8'), `rules/${file}`))
