/**
 * The Sonde-Run header: `<run id>.<unix seconds>.<HMAC-SHA-256, base64url>`.
 * It lets the owner of a site ask whether a request in their log really was a scan's.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface TrafficIdentity {
  readonly runId: string
  /** When the request was signed, seconds since the epoch. */
  readonly issuedAt: number
}

/** `key` is base64url, as in the operator's settings. */
export const signTraffic = (identity: TrafficIdentity, key: string): string => {
  const claim = `${identity.runId}.${identity.issuedAt}`
  return `${claim}.${seal(claim, key).toString('base64url')}`
}

/** What a genuine header says, or null for anything else. Does not judge its age: a log may be old. */
export const verifyTraffic = (header: string, key: string): TrafficIdentity | null => {
  const match = FORM.exec(header.trim())
  if (!match) return null
  const [, runId = '', seconds = '', signature = ''] = match
  const given = Buffer.from(signature, 'base64url')
  const expected = seal(`${runId}.${seconds}`, key)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return { runId, issuedAt: Number(seconds) }
}

/** The key that signs for this run and for no other: what is given to a machine that is not the service's. */
export const keyOfRun = (key: string, runId: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(`sonde-run-key:${runId}`).digest('base64url')

/** As `verifyTraffic`, by the key of the run that the header names, too. */
export const verifyAnyTraffic = (header: string, key: string): TrafficIdentity | null =>
  verifyTraffic(header, key) ?? verifyTraffic(header, keyOfRun(key, header.trim().slice(0, 36)))

const FORM = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/

const seal = (claim: string, key: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(`sonde-run:${claim}`).digest()
