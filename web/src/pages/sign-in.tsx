import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Logo } from '../components/icons.tsx'
import { Tastes } from '../components/shell.tsx'
import { SignInForm } from '../components/sign-in-form.tsx'
import { type Key, useT } from '../i18n/text.tsx'
import { SESSION } from '../query-client.ts'

const FAILED = {
  provider: 'signInProvider',
  again: 'signInAgain',
  not_invited: 'signInNotInvited',
} as const satisfies Record<string, Key>

const SignIn = () => {
  const t = useT()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const queries = useQueryClient()
  useEffect(() => {
    document.title = `${t('signIn')} · Sonde`
  }, [t])
  const failed = search.get('failed')
  return (
    <main className="door">
      <div className="door-body">
        <div className="brand">
          <Logo />
          Sonde
        </div>
        <h1>{t('signIn')}</h1>
        <p className="quiet">{t('signInLead')}</p>
        {failed !== null && failed in FAILED ? (
          <div className="notice bad" role="alert">
            {t(FAILED[failed as keyof typeof FAILED])}
          </div>
        ) : null}
        <SignInForm
          signedIn={(session) => {
            queries.clear()
            queries.setQueryData(SESSION, session)
            void navigate(ownPath(search.get('next')), { replace: true })
          }}
        />
        <Tastes />
      </div>
    </main>
  )
}

/** Only a path of our own: never an address that somebody put into a link. */
export const ownPath = (next: string | null): string =>
  next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/'

export default SignIn
