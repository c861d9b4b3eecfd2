/** When not finding something means that it is gone: its check ran again, to an answer about everything it applies to. */
import type { Coverage } from '../contract/finding.ts'

/**
 * A pass is one by what a pass means. A fail is one where nothing was left unasked: else the place in question may be among
 * the rest.
 */
export const isAnswer = ({ state, asked, reason_kind }: Pick<Coverage, 'state' | 'asked' | 'reason_kind'>): boolean =>
  state === 'pass' || (state === 'fail' && asked === undefined && reason_kind === undefined)

/** Checks that came to an answer. */
export const answeredBy = (coverage: readonly Coverage[]): ReadonlySet<string> =>
  new Set(coverage.filter(isAnswer).map(({ check_id }) => check_id))
