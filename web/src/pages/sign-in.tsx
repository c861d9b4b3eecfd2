import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { client, rememberToken } from '../client.ts'
import { FailureLine } from '../components/failure.tsx'
import { Logo } from '../components/icons.tsx'
import { SecretInput } from '../components/login-fields.tsx'
import { Tastes } from '../components/shell.tsx'
import { type Key, useT } from '../i18n/text.tsx'
import { SESSION } from '../query-client.ts'
import { useSentForm } from '../use-sent-form.tsx'

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
  const ways = useQuery({ queryKey: ['sign-in'], queryFn: () => client.readSignIn() })
  const { form, sending, submit } = useSentForm({
    initialValues: { api_key: '' },
    send: ({ api_key: key }) => client.createSession({ body: { api_key: key.trim() } }),
    sent: (session) => {
      rememberToken(session.csrf_token)
      queries.clear()
      queries.setQueryData(SESSION, session)
      void navigate(ownPath(search.get('next')), { replace: true })
    },
  })
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
        <form className="stack" onSubmit={submit}>
          <SecretInput
            key={form.key('api_key')}
            {...form.getInputProps('api_key')}
            label={t('apiKey')}
            description={t('apiKeyHint')}
            spellCheck={false}
            placeholder="sonde_…"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('showKey') }}
          />
          <FailureLine error={sending.error} />
          <Button type="submit" fullWidth loading={sending.isPending}>
            {t('signIn')}
          </Button>
        </form>
        {ways.data?.open_id ? (
          <Button component="a" href={ways.data.open_id.path} variant="default" fullWidth>
            {t('signInWith', { name: ways.data.open_id.name })}
          </Button>
        ) : null}
        <Tastes />
      </div>
    </main>
  )
}

/** Only a path of our own: never an address that somebody put into a link. */
export const ownPath = (next: string | null): string =>
  next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/'

export default SignIn
