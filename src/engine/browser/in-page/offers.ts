/** What of a sign-in belongs under a name that a page asks its storage for. */
import type { StorageOffers } from '../../../sign-in/page-storage.ts'

const TOKEN = /(?:token|jwt|bearer)$|^(?:auth|authorization)$/
/** Tokens for something else than who asks. */
const OTHER = /refresh|[cx]srf|push|device|captcha|cart|guest|anonymous|verif|reset|invite/
const HOLDER = /(?:user|auth|session|account|identity|credentials|login|authdata|userdata|userinfo)$/

/** The name itself, then its end (`shop.user`), then what tokens, and what holds one, are called. Null: nothing. */
export function offerFor(name: string, { members, token, holder }: StorageOffers): string | null {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const own = members[plain]
  if (own !== undefined) return own
  if (OTHER.test(plain)) return null
  const ends = Object.keys(members).filter(
    (member) => plain.endsWith(member) && (TOKEN.test(member) || HOLDER.test(member)),
  )
  const longest = ends.toSorted((a, b) => b.length - a.length)[0]
  if (longest !== undefined) return members[longest] ?? null
  if (TOKEN.test(plain)) return token
  return HOLDER.test(plain) ? holder : null
}
