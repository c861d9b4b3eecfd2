import { createHmac } from 'node:crypto'

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
