import { childAt, childrenOf, DerError, type DerNode, readDer } from './der.ts'
import type { Staple } from './facts.ts'

const SUCCESSFUL = 0
const STATUS_BY_TAG: Readonly<Record<number, Staple['status']>> = {
  128: 'good', // [0] IMPLICIT NULL
  161: 'revoked', // [1] RevokedInfo
  130: 'unknown', // [2] IMPLICIT NULL
}
const UNREADABLE: Staple = { status: 'unreadable', revokedAt: null }

/**
 * The certificate status in a stapled OCSP answer (RFC 6960, 4.2.1). Its signature is not verified here:
 * it says what the server staples, and clients do the rest.
 */
export const readStaple = (answer: Buffer): Staple => {
  try {
    return statusOf(answer)
  } catch (error) {
    if (error instanceof DerError || error instanceof RangeError) return UNREADABLE
    throw error
  }
}

const statusOf = (answer: Buffer): Staple => {
  const [responseStatus, wrapper] = childrenOf(readDer(answer))
  if (responseStatus?.content[0] !== SUCCESSFUL || wrapper === undefined) return UNREADABLE
  const basic = readDer(childAt(childAt(wrapper, 0), 1).content)
  const responses = childrenOf(childAt(basic, 0)).find((node) => node.tag === 0x30 && isResponseList(node))
  if (responses === undefined) return UNREADABLE
  const status = childAt(childAt(responses, 0), 1)
  const known = STATUS_BY_TAG[status.tag]
  if (known === undefined) return UNREADABLE
  return { status: known, revokedAt: known === 'revoked' ? readTime(childAt(status, 0)) : null }
}

/** ResponseData also holds a responder name and extensions; the list's first entry begins with a CertID sequence. */
const isResponseList = (node: DerNode): boolean => {
  const first = childrenOf(node)[0]
  return first?.tag === 0x30 && childrenOf(first)[0]?.tag === 0x30
}

/** GeneralizedTime, always in UTC here: 20260131235959Z. */
const readTime = (node: DerNode): number | null => {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(node.content.toString('latin1'))
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
}
