import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../src/contract/client-core.ts'

export const SESSION = ['session'] as const

/** A refusal stays one however often it is asked again; only our own faults and broken lines are worth a second try. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500)

export const createQueryClient = (): QueryClient => {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // The session ended on the other side: ask who we are, and the sign-in page follows.
      onError: (error, query) => {
        if (isUnauthenticated(error) && query.queryKey[0] !== SESSION[0])
          void client.resetQueries({ queryKey: SESSION })
      },
    }),
    defaultOptions: {
      queries: { staleTime: 5_000, retry: worthRetrying, retryDelay: (attempt) => 500 * 2 ** attempt },
    },
  })
  return client
}

export const isUnauthenticated = (error: unknown): boolean => error instanceof ApiError && error.status === 401
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'api_key_scope_insufficient'
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
