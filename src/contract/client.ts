/** The typed client of the HTTP interface for programs, made from the endpoint table. */
import { type Client, type ClientRow, clientRow, createCoreClient } from './client-core.ts'
import { ENDPOINTS, type Endpoints } from './endpoints.ts'

export { ApiError, type Client, ConnectionError, type Input, type Output } from './client-core.ts'

export interface ClientOptions {
  /** Where the service answers, with or without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Milliseconds for one call; a stream has no such limit. Default 30,000. */
  readonly timeout?: number
  readonly fetch?: typeof fetch
}

const ROWS = Object.fromEntries(Object.entries(ENDPOINTS).map(([id, row]) => [id, clientRow(row)])) as Record<
  keyof Endpoints,
  ClientRow
>

export const createClient = ({ apiKey, ...options }: ClientOptions): Client =>
  createCoreClient(ROWS, {
    ...options,
    headers: (row): Record<string, string> => (row.public ? {} : { authorization: `Bearer ${apiKey}` }),
  })

/** Every item of a listing, page after page. */
export async function* everyItem<Item>(
  list: (cursor: string | undefined) => Promise<{ items: readonly Item[]; next_cursor: string | null }>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    yield* page.items
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}
