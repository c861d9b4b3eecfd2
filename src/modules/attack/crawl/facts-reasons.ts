/** Reasons for leaving an address out. */

/** Why an address that a pattern of the run or the domain names is not asked for. */
export const EXCLUDED = 'excluded by a pattern'
