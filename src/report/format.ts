/** Numbers, dates and words in the report's language, the same on every machine. */

/** 2417 → "2,417" */
export const number = (value: number): string => value.toLocaleString('en-GB')

/** "2026-11-21T…" → "21 November 2026", in UTC; what is no date stays as it is. */
export const longDate = (timestamp: string): string => {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime())
    ? timestamp
    : date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** 372 → "6 min 12 s" */
export const span = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const parts = [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(whole % 60 > 0 && hours === 0 ? [`${whole % 60} s`] : []),
  ]
  return parts.join(' ') || '0 s'
}

/** (1, 'problem') → "1 problem", (2, 'problem') → "2 problems" */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : several}`

/** ['a', 'b', 'c'] → "a, b and c" */
export const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** The first sentence, ending in a full stop. Code blocks are no sentence. */
export const firstSentence = (text: string): string => {
  const [line = ''] = text.trim().split(/\n/)
  const [sentence = ''] = line.split(/(?<=[.!?])\s+(?=[A-Z`"'(])/)
  return sentence.replace(/[:;,]$/, '').replace(/(?<![.!?])$/, '.')
}
