/** What the signed timestamps of a chain amount to by the policies of browsers. */
import type { CheckedTimestamp } from '../../../protocols/tls/certificate/facts.ts'

export const DAY = 86_400_000

/** What counts by Chrome's policy; unknown logs count as long as nobody shows otherwise. */
export const counted = (timestamps: readonly CheckedTimestamp[]): readonly CheckedTimestamp[] =>
  timestamps.filter(({ state }) => state !== 'invalid' && state !== 'retired-log')

export const countOf = (timestamps: readonly CheckedTimestamp[]): number =>
  new Set(counted(timestamps).map(({ log }) => log)).size

/**
 * What Chrome's policy misses in the timestamps, null where nothing: two logs up to 180 days, three above, of two
 * operators.
 */
export const lackOf = (
  { notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number },
  timestamps: readonly CheckedTimestamp[],
): string | null => {
  const needed = notAfter - notBefore > 180 * DAY ? 3 : 2
  const logs = countOf(timestamps)
  if (logs < needed)
    return `The certificate proves timestamps of ${logs} log${logs === 1 ? '' : 's'}; its lifetime asks for ${needed}`
  const operators = new Set(counted(timestamps).map(({ operator }) => operator))
  const [only] = operators
  return operators.size === 1 && only ? `All ${logs} logs are run by one operator, ${only}; two are asked for` : null
}

export const SAYS: Readonly<Record<CheckedTimestamp['state'], string>> = {
  valid: 'signed by the log',
  invalid: 'NOT signed by the log',
  'retired-log': 'signed by a log that was retired before',
  'unknown-log': 'of a log that is not listed',
  unchecked: 'not checked',
}

export const showTimestamp = ({ name, log, time, source, state }: CheckedTimestamp): string =>
  `${name ?? `log ${log.slice(0, 16)}…`}, ${new Date(time).toISOString()}, by ${source}: ${SAYS[state]}`
