/** One message to one address, through the same door as a scan. */

import { createHmac } from 'node:crypto'
import { type Egress, EgressError } from '../egress/door/egress.ts'
import type { AttemptResult } from '../store/deliveries.ts'

/** Milliseconds for the whole exchange. */
const TIMEOUT = 15_000
/** The answer's text is nobody's business here: an endpoint inside of a network could be read by it. */
const MAX_ANSWER = 1_024

export interface Message {
  readonly id: string
  readonly payload: string
  readonly url: string
  /** `whsec_…` */
  readonly secret: string
}

/** Never rejects for what the receiver does. No redirect is followed: the address is the one that was registered. */
export const postMessage = async (egress: Pick<Egress, 'http'>, message: Message): Promise<AttemptResult> => {
  const started = Date.now()
  const { id, payload, url, secret } = message
  try {
    const { status } = await egress.http({
      method: 'POST',
      url,
      headers: [['Content-Type', 'application/json'], ...signedHeaders(secret, id, started, payload)],
      body: payload,
      maxBody: MAX_ANSWER,
      timeout: TIMEOUT,
      authenticated: false,
      insecure: false,
    })
    const error = status >= 200 && status < 300 ? null : `answered ${status}`
    return { status, error, durationMs: Date.now() - started }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { status: null, error: error.message.slice(0, 300), durationMs: Date.now() - started }
  }
}

/**
 * Headers of a message by the Standard Webhooks specification, version 1.0: the signature is over id, time and the very
 * bytes of the body. `secret` is `whsec_` and base64; `at` in milliseconds.
 */
export const signedHeaders = (secret: string, id: string, at: number, body: string): readonly [string, string][] => {
  const seconds = Math.floor(at / 1000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', `v1,${signature}`],
  ]
}
