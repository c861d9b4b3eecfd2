/** DKIM key records (RFC 6376, 3.6.1; RFC 8463), and selectors in common use. */
import { createPublicKey } from 'node:crypto'
import { parseTags } from './tags.ts'

export interface DkimKey {
  readonly type: string
  /** RSA modulus length; null for other types, for a revoked key and for one that cannot be read. */
  readonly bits: number | null
  readonly state: 'valid' | 'revoked' | 'unreadable'
  /** Hashes that are allowed; empty means all. */
  readonly hashes: readonly string[]
  readonly testing: boolean
}

/**
 * Selectors that mail services set up by default or recommend, from their own set-up pages (Google Workspace,
 * Microsoft 365, Amazon SES, SendGrid, Mailchimp, Mailgun, Postmark, Zoho, Fastmail, Proton …) and common habit.
 */
export const SELECTORS: readonly string[] = [
  ...[
    'google',
    'selector1',
    'selector2',
    'default',
    'dkim',
    'mail',
    'email',
    'smtp',
    'key1',
    'key2',
    'key3',
    'k1',
    'k2',
    'k3',
  ],
  ...['s1', 's2', 's1024', 's2048', 'sig1', 'selector', 'dk', 'dkim1', 'dkim2', 'mx', 'mta', 'x', 'server', 'private'],
  ...[
    'mandrill',
    'mailjet',
    'pm',
    'pm-bounces',
    'postmark',
    'sendgrid',
    'smtpapi',
    'm1',
    'm2',
    'mailgun',
    'mg',
    'pic',
    'krs',
  ],
  ...[
    'zoho',
    'zmail',
    'fm1',
    'fm2',
    'fm3',
    'mesmtp',
    'protonmail',
    'protonmail2',
    'protonmail3',
    'sib',
    'mailo',
    'hs1',
    'hs2',
  ],
  ...[
    'zendesk1',
    'zendesk2',
    'intercom',
    'cm',
    'everlytickey1',
    'ctct1',
    'ctct2',
    'klaviyo',
    'kl',
    'kl2',
    'turbo-smtp',
    'dkim-rsa',
  ],
]

export const isDkim = (text: string): boolean => {
  const { tags } = parseTags(text)
  return (tags.v === undefined || tags.v === 'DKIM1') && tags.p !== undefined
}

export const parseDkim = (text: string): DkimKey => {
  const { tags } = parseTags(text)
  const type = (tags.k ?? 'rsa').toLowerCase()
  const split = (value: string | undefined) =>
    (value ?? '').split(':').flatMap((part) => (part.trim() === '' ? [] : [part.trim().toLowerCase()]))
  const rest = { type, hashes: split(tags.h), testing: split(tags.t).includes('y') }
  const encoded = (tags.p ?? '').replace(/\s/g, '')
  if (encoded === '') return { ...rest, state: 'revoked', bits: null }
  const key = Buffer.from(encoded, 'base64')
  if (type !== 'rsa')
    return { ...rest, state: type === 'ed25519' && key.length !== 32 ? 'unreadable' : 'valid', bits: null }
  const bits = rsaBits(key)
  return { ...rest, state: bits === null ? 'unreadable' : 'valid', bits }
}

/** SubjectPublicKeyInfo as the practice is, or a bare RSAPublicKey as the RFC's text reads. */
const rsaBits = (key: Buffer): number | null => {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key, format: 'der', type }).asymmetricKeyDetails?.modulusLength ?? null
    } catch {
      // Not of this form; the next one, or null, says so.
    }
  }
  return null
}
