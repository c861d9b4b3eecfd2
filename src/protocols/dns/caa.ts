/** CAA records (RFC 8659; tags of RFC 8657, RFC 9495, CA/Browser Forum and the IANA registry). */
export interface Caa {
  readonly flags: number
  readonly tag: string
  readonly value: string
}

export const readCaa = (data: unknown): Caa | null => {
  if (typeof data !== 'object' || data === null) return null
  const { flags, tag, value } = data as Readonly<Record<string, unknown>>
  if (typeof flags !== 'number' || typeof tag !== 'string' || typeof value !== 'string') return null
  return { flags, tag: tag.toLowerCase(), value }
}

/** What is wrong with the record, as a phrase; null for a good one. */
export const caaFlaw = ({ flags, tag, value }: Caa): string | null => {
  if (!/^[a-z0-9]+$/.test(tag)) return `“${tag.slice(0, 40)}” is no tag`
  if (!KNOWN.has(tag)) return flags & CRITICAL ? `the tag “${tag}” is critical and unknown to authorities` : null
  if (ISSUERS.has(tag) && readIssuer(value) === null) return `“${value.slice(0, 80)}” is no value of ${tag}`
  if (tag === 'iodef' && !/^(?:mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)$/i.test(value)) {
    return `“${value.slice(0, 80)}” is no mailto: or http address of iodef`
  }
  return null
}

/** Domain of the authority, '' for "nobody" (`;`); null where the value breaks the grammar. */
export const readIssuer = (value: string): string | null => {
  const match = ISSUER.exec(value.trim())
  return match ? (match[1] ?? '').toLowerCase() : null
}

const CRITICAL = 0x80
const ISSUERS: ReadonlySet<string> = new Set(['issue', 'issuewild', 'issuemail', 'issuevmc'])
const KNOWN: ReadonlySet<string> = new Set([...ISSUERS, 'iodef', 'contactemail', 'contactphone'])
const ISSUER =
  /^((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)?[ \t]*(?:;[ \t]*(?:[a-z0-9]+[ \t]*=[ \t]*[\x21-\x3a\x3c-\x7e]*[ \t]*(?:;[ \t]*|$))*)?$/i
