/** The one client of the page: the contract's, with the session cookie and the token that proves the page is ours. */
import { ROWS } from 'virtual:endpoints'
import { createCoreClient } from '../../src/contract/client-core.ts'

/** As `CSRF_HEADER` of the contract, whose schemas stay on the server; a test holds the two equal. */
const CSRF_HEADER = 'X-CSRF-Token'

let csrfToken: string | null = null
/** Kept in memory only: a reload asks for it again. */
export const rememberToken = (token: string | null): void => {
  csrfToken = token
}

export const client = createCoreClient(ROWS, {
  baseUrl: '',
  headers: (row): Record<string, string> =>
    row.method === 'GET' || csrfToken === null ? {} : { [CSRF_HEADER]: csrfToken },
})
