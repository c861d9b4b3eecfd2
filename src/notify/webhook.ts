/** One message to one address, through the same door as a scan. */
import { type Egress, EgressError } from '../egress/door/egress.ts'
import type { AttemptResult } from '../store/deliveries.ts'
import { signedHeaders } from './signature.ts'

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
