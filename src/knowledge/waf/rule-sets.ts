/** Rule sets that say no name and have none in their block pages: known by what they refuse. */
import type { ProductKind } from './vendors.ts'

export interface RuleSet {
  readonly id: string
  readonly name: string
  readonly kind: ProductKind
  /** Endings of names that no file has to have: what it refuses, and beside each one what it lets pass. */
  readonly endings: readonly (readonly [refused: string, passed: string])[]
  /** What was seen, for people. */
  readonly sign: string
}

/**
 * Rule 920440 refuses names by their ending, from a list that is its own: of an index server of Windows, of Redis, and of Visual Studio, and the
 * same ending nowhere but at the end of the path. https://coreruleset.org/docs/ (crs-setup.conf, tx.restricted_extensions)
 */
export const CORE_RULE_SET: RuleSet = {
  id: 'crs',
  name: 'OWASP Core Rule Set',
  kind: 'firewall',
  endings: [
    ['htw', 'htv'],
    ['rdb', 'rdv'],
    ['csproj', 'csprok'],
  ],
  sign: 'refuses names that end in .htw, .rdb and .csproj, as rule 920440 does, and none beside them',
}
