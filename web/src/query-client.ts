import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, ConnectionError } from '../../src/contract/client-core.ts'
import { noteConnection } from './connection.ts'

export const SESSION = ['session'] as const

/** A refusal stays one however often it is asked again; only our own faults and broken lines are worth a second try. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500)

/** What every answer and every error says of the line and of the session. */
const watch = (client: () => QueryClient) => ({
  onSuccess: (): void => noteConnection(true),
  onError: (error: Error): void => {
    noteConnection(!(error instanceof ConnectionError))
    // The session ended on the other side: ask who we are. What is on the page stays there; see SessionGate.
    if (isUnauthenticated(error)) void client().invalidateQueries({ queryKey: SESSION })
  },
})

export const createQueryClient = (): QueryClient => {
  const { onSuccess, onError } = watch(() => client)
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onSuccess,
      onError: (error, query) => {
        if (query.queryKey[0] !== SESSION[0]) return onError(error)
        noteConnection(!(error instanceof ConnectionError))
      },
    }),
    mutationCache: new MutationCache({ onSuccess, onError }),
    defaultOptions: {
      // What the browser says of the network says nothing about a service on this machine or in this house.
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: worthRetrying,
        retryDelay: (attempt) => 500 * 2 ** attempt,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

export const isUnauthenticated = (error: unknown): boolean => error instanceof ApiError && error.status === 401
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'api_key_scope_insufficient'
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
