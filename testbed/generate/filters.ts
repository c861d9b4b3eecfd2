/** What applications do to a value before they use it, in the belief that it helps. */

/** In the order of how much they change. */
export const FILTERS = ['none', 'strip', 'double', 'cut', 'upper', 'escape'] as const
export type Filter = (typeof FILTERS)[number]

const MOST = 40

/** One pass over the text, as such filters are written: what it puts together it does not see. */
export const filtered: Readonly<Record<Filter, (value: string) => string>> = {
  none: (value) => value,
  strip: (value) => value.replace(/script|union|select|\.\.\//gi, ''),
  double: (value) => value.replaceAll("'", "''"),
  cut: (value) => value.slice(0, MOST),
  upper: (value) => value.toUpperCase(),
  escape: (value) => value.replaceAll('<', '&lt;'),
}
