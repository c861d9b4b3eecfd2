/** Proactive negotiation by the Accept header: RFC 9110, 12.5.1. */

/** Whether one of the types may be sent. An absent or empty header takes everything; `+json` types count as JSON too. */
export const accepts = (header: string | undefined, types: readonly string[]): boolean =>
  types.length === 0 || preferred(header, types) !== null

/** The type that is liked best, of equals the first; null where none may be sent. */
export const preferred = <Type extends string>(header: string | undefined, types: readonly Type[]): Type | null => {
  if (header === undefined || header.trim() === '') return types[0] ?? null
  const ranges = header.slice(0, MAX_LENGTH).split(',').map(parseRange)
  const liking = (type: string): number => Math.max(...namesOf(type).map((name) => quality(name, ranges)))
  const [best] = types.toSorted((a, b) => liking(b) - liking(a))
  return best !== undefined && liking(best) > 0 ? best : null
}

interface Range {
  readonly type: string
  readonly quality: number
}

const MAX_LENGTH = 4096

const namesOf = (type: string): readonly string[] =>
  type === '*/*' || !type.endsWith('+json') ? [type] : [type, 'application/json']

const parseRange = (text: string): Range => {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { type, quality: Number.isNaN(quality) ? 0 : quality }
}

/** The most specific range decides, however it is ordered. */
const quality = (type: string, ranges: readonly Range[]): number => {
  if (type === '*/*') return Math.max(...ranges.map((range) => range.quality))
  const [main] = type.split('/')
  for (const pattern of [type, `${main}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === pattern)
    if (range !== undefined) return range.quality
  }
  return 0
}
