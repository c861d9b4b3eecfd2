/** A result of a template on a target, before it is weighed. */
import type { Location } from '../../contract/finding.ts'
import type { Sign } from '../language/match/match.ts'
import type { Verdict } from '../language/match/verdict.ts'
import type { Shown } from './executor.ts'

export interface Hit {
  /** Names of the matchers that each alone decided, joined; '' without. */
  readonly name: string
  readonly at: Location
  /** Byte strings. */
  readonly request: string
  readonly response: string
  readonly extracted: Verdict['extracted']
  readonly signs: readonly Sign[]
  readonly http: NonNullable<Shown['http']> | null
  /** It rests on a call to our listener. */
  readonly outOfBand: boolean
}

export const hitOf = (verdict: Verdict, shown: Shown, outOfBand = false): Hit => ({
  name: verdict.names.join(', '),
  at: shown.at,
  request: shown.request,
  response: shown.response,
  extracted: verdict.extracted,
  signs: verdict.signs,
  http: shown.http ?? null,
  outOfBand,
})
