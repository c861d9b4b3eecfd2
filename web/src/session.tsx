/** Who is signed in. Pages below have a session; without one the sign-in page stands in their place. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { Scope } from '../../src/contract/organisation.ts'
import type { Session } from '../../src/contract/session.ts'
import { client, rememberToken } from './client.ts'
import { Dialog } from './components/dialog.tsx'
import { Early } from './components/early.tsx'
import { FailurePage } from './components/failure.tsx'
import { SignInForm } from './components/sign-in-form.tsx'
import { useT } from './i18n/text.tsx'
import { isUnauthenticated, SESSION } from './query-client.ts'

const Context = createContext<Session | null>(null)

export const useSession = (): Session => {
  const session = use(Context)
  if (session === null) throw new Error('Nobody is signed in here')
  return session
}

/** Whether the caller may do what needs this scope: what they may not is not offered. */
export const useMay = (scope: Scope): boolean => useSession().scopes.includes(scope)

export const readSession = async (): Promise<Session> => {
  const session = await client.readSession()
  rememberToken(session.csrf_token)
  return session
}

/** Asked before the first page is shown: that nobody is signed in is not asked a second time by the page. */
export const sessionQuery = queryOptions({
  ...{ queryKey: SESSION, queryFn: readSession, staleTime: 5 * 60_000 },
  retryOnMount: false,
})

export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const location = useLocation()
  const session = useQuery(sessionQuery)
  if (session.data !== undefined) {
    return (
      <Context value={session.data}>
        {children}
        {isUnauthenticated(session.error) ? <SessionOver of={session.data} /> : null}
      </Context>
    )
  }
  if (isUnauthenticated(session.error)) {
    const next = location.pathname === '/' ? '' : `?next=${encodeURIComponent(location.pathname + location.search)}`
    return <Navigate to={`/sign-in${next}`} replace />
  }
  if (session.error !== null) {
    return (
      <main className="main">
        <FailurePage error={session.error} retry={() => void session.refetch()} />
      </main>
    )
  }
  return <Early />
}

/** What somebody was writing stays where it is: they sign in over it and go on. */
const SessionOver = ({ of }: { readonly of: Session }) => {
  const t = useT()
  const queries = useQueryClient()
  return (
    <Dialog title={t('sessionOver')} close={() => location.assign('/sign-in')}>
      <div className="stack">
        <p>{t('sessionOverText')}</p>
        <SignInForm
          aside
          signedIn={(session) => {
            // Somebody else must not go on with what this person has on the screen.
            if (session.organisation.id !== of.organisation.id || session.actor.id !== of.actor.id) {
              location.assign('/')
              return
            }
            queries.setQueryData(SESSION, session)
            void queries.invalidateQueries()
          }}
        />
      </div>
    </Dialog>
  )
}

export const useSignOut = (): (() => Promise<void>) => {
  const queries = useQueryClient()
  return useCallback(async () => {
    await client.deleteSession()
    rememberToken(null)
    queries.clear()
    location.assign('/sign-in')
  }, [queries])
}
