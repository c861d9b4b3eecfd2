/** A record as zone files write it (RFC 1035, 5.1; RFC 8659 for CAA): name, TTL, class, type and data, by tabs. */

export interface TextRecord {
  readonly name: string
  readonly type: string
  readonly ttl: number
  /** Plain JSON, as egress gives it; unknown shapes are written as JSON. */
  readonly data: unknown
}

export const recordText = ({ name, type, ttl, data }: TextRecord): string =>
  `${absolute(name)}\t${ttl}\tIN\t${type}\t${dataText(type, data)}`

const absolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`)
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
const NAMES: readonly string[] = ['CNAME', 'NS', 'PTR', 'DNAME']

const dataText = (type: string, data: unknown): string => {
  if (type === 'TXT') return (Array.isArray(data) ? data : [data]).map((part) => quoted(String(part))).join(' ')
  if (typeof data === 'string') return NAMES.includes(type) ? absolute(data) : data
  if (typeof data !== 'object' || data === null) return String(data ?? '')
  const field = (key: string): string => String((data as Readonly<Record<string, unknown>>)[key] ?? '')
  const fields = (...keys: readonly string[]): string => keys.map(field).join(' ')
  switch (type) {
    case 'MX':
      return `${field('preference')} ${absolute(field('exchange'))}`
    case 'SRV':
      return `${fields('priority', 'weight', 'port')} ${absolute(field('target'))}`
    case 'SOA':
      return `${absolute(field('mname'))} ${absolute(field('rname'))} ${fields('serial', 'refresh', 'retry', 'expire', 'minimum')}`
    case 'CAA':
      return `${Number(field('flags'))} ${field('tag')} ${quoted(field('value'))}`
    case 'DS':
      return `${fields('keyTag', 'algorithm', 'digestType')} ${hexOf(field('digest'))}`
    case 'TLSA':
      return `${fields('usage', 'selector', 'matchingType')} ${hexOf(field('certificate'))}`
    default:
      return JSON.stringify(data)
  }
}

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex').toUpperCase()
