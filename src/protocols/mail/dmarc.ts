/** DMARC policy records (RFC 9989; before it RFC 7489) and the way up the tree to find one. Pure. */
import { labelsOf } from '../dns/wire.ts'
import { parseTags } from './tags.ts'

export type Level = 'none' | 'quarantine' | 'reject'

export interface DmarcRecord {
  readonly policy: Level
  readonly subdomains: Level
  readonly absent: Level
  /** `t=y`: receivers apply the level below. */
  readonly testing: boolean
  /** Legacy share of mail that the policy is applied to; 100 when absent. */
  readonly percent: number
  readonly psd: 'y' | 'n' | 'u'
  readonly rua: readonly string[]
  readonly errors: readonly string[]
}

/** True for a TXT record that is meant as DMARC: the version comes first, as written. */
export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)

export const parseDmarc = (text: string): DmarcRecord => {
  const { tags, errors } = parseTags(text)
  const faults = [...errors]
  const level = (name: string, otherwise: Level): Level => {
    const value = tags[name]?.toLowerCase()
    if (value === undefined) return otherwise
    if (isLevel(value)) return value
    faults.push(`${name}=${value.slice(0, 40)} is no policy`)
    return 'none'
  }
  if (tags.p === undefined) faults.push('p is missing')
  const policy = level('p', 'none')
  const subdomains = level('sp', policy)
  const percent = tags.pct === undefined ? 100 : Number(tags.pct)
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) faults.push('pct is no share')
  for (const name of ['adkim', 'aspf']) {
    if (tags[name] !== undefined && !/^[rs]$/i.test(tags[name])) faults.push(`${name} is neither r nor s`)
  }
  const rua = addresses(tags.rua)
  for (const uri of [...rua, ...addresses(tags.ruf)]) {
    if (!/^mailto:[^\s@]+@[^\s@!]+(?:![0-9]+[kmgt]?)?$/i.test(uri))
      faults.push(`“${uri.slice(0, 80)}” is no mailto: address`)
  }
  return {
    policy,
    subdomains,
    absent: level('np', subdomains),
    testing: tags.t?.toLowerCase() === 'y',
    percent: faults.includes('pct is no share') ? 100 : percent,
    psd: readPsd(tags.psd),
    rua,
    errors: faults,
  }
}

/** What receivers do: testing lowers the level by one (RFC 9989, 4.7). */
export const effective = (level: Level, { testing }: Pick<DmarcRecord, 'testing'>): Level =>
  testing ? (level === 'reject' ? 'quarantine' : 'none') : level

/** Names to ask, in order (RFC 9989, 4.10): the domain, then its parents, of long names the last seven labels. */
export const treeWalk = (domain: string): readonly string[] => {
  const labels = labelsOf(domain)
  const start = labels.length >= 8 ? labels.length - 7 : 1
  return [domain, ...labels.slice(start).map((_, index) => labels.slice(start + index).join('.'))]
}

/** Domain of a report address; null for what is none. */
export const reportDomain = (uri: string): string | null =>
  /^mailto:[^\s@]+@([^\s@!]+)/i.exec(uri)?.[1]?.toLowerCase().replace(/\.$/, '') ?? null

const isLevel = (value: string): value is Level => value === 'none' || value === 'quarantine' || value === 'reject'

const readPsd = (value: string | undefined): DmarcRecord['psd'] => {
  const lower = value?.toLowerCase()
  return lower === 'y' || lower === 'n' ? lower : 'u'
}

const addresses = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '')
    .slice(0, 20)
