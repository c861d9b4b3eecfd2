/** Entry of the package `@sonde/client`; its types are made of the OpenAPI document. */
import { type Client, type ClientOptions, createClient as createBareClient } from './client.ts'
import { type RetryOptions, retrying } from './retrying.ts'

export { ApiError, ConnectionError, everyItem } from './client.ts'
export { watchScan } from './event-stream.ts'

/** A client that asks again where that is safe; `retries: 0` never does. */
export const createClient = ({ retries, pause, ...options }: ClientOptions & RetryOptions): Client => {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const retry = { ...(retries === undefined ? {} : { retries }), ...(pause === undefined ? {} : { pause }) }
  return createBareClient({ ...options, fetch: retrying(send, retry) })
}
