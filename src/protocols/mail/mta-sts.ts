/** MTA-STS (RFC 8461) and TLS reporting (RFC 8460). Pure. */
import { bare } from '../dns/wire.ts'
import { parseTags } from './tags.ts'

export interface StsPolicy {
  readonly mode: 'enforce' | 'testing' | 'none' | null
  readonly mx: readonly string[]
  /** Seconds. */
  readonly maxAge: number | null
  readonly errors: readonly string[]
}

export const STS_LARGEST = 64 * 1024

export const isStsRecord = (text: string): boolean => /^v=STSv1\s*;/.test(text)

/** The id of the record; null where it is not of 1 to 32 letters and digits. */
export const stsId = (text: string): string | null => {
  const id = parseTags(text).tags.id ?? ''
  return /^[a-z0-9]{1,32}$/i.test(id) ? id : null
}

export const parseStsPolicy = (text: string): StsPolicy => {
  const errors: string[] = []
  const fields: (readonly [string, string])[] = []
  for (const line of text.slice(0, STS_LARGEST).split(/\r?\n/)) {
    if (line.trim() === '') continue
    const match = /^([A-Za-z0-9][\w.-]{0,31}):[ \t]*(.*?)[ \t]*$/.exec(line)
    if (match) fields.push([(match[1] ?? '').toLowerCase(), match[2] ?? ''])
    else errors.push(`“${line.slice(0, 60)}” is no field`)
  }
  const first = (name: string) => fields.find(([field]) => field === name)?.[1] ?? null
  if (first('version') !== 'STSv1') errors.push('version is not STSv1')
  const mode = first('mode')
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none')
    errors.push(`mode is ${mode === null ? 'missing' : `“${mode.slice(0, 40)}”`}`)
  const age = first('max_age')
  const maxAge = age !== null && /^\d{1,10}$/.test(age) ? Number(age) : null
  if (maxAge === null || maxAge > 31_557_600) errors.push('max_age is no number of seconds up to 31557600')
  const mx = fields.filter(([name]) => name === 'mx').map(([, value]) => value)
  if (mx.length === 0 && mode !== 'none') errors.push('it names no mx')
  for (const pattern of mx) {
    if (!/^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)*[a-z0-9-]+\.?$/i.test(pattern))
      errors.push(`“${pattern.slice(0, 80)}” is no mx`)
  }
  const known = mode === 'enforce' || mode === 'testing' || mode === 'none' ? mode : null
  return { mode: known, mx, maxAge, errors }
}

/** `*` stands for exactly one label (RFC 8461, 4.1). */
export const mxMatches = (pattern: string, host: string): boolean => {
  const [wanted, name] = [bare(pattern), bare(host)]
  if (!wanted.startsWith('*.')) return wanted === name
  return name.slice(name.indexOf('.') + 1) === wanted.slice(2) && name.includes('.')
}

export const isTlsRpt = (text: string): boolean => /^v=TLSRPTv1\s*;/.test(text)

/** What is wrong with a TLS-RPT record, as a phrase; null for a good one. */
export const tlsRptFlaw = (text: string): string | null => {
  const rua = (parseTags(text).tags.rua ?? '').split(',').map((uri) => uri.trim())
  const bad = rua.find((uri) => !/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/i.test(uri))
  return bad === undefined
    ? null
    : bad === ''
      ? 'rua is missing'
      : `“${bad.slice(0, 80)}” is no mailto: or https: address`
}
