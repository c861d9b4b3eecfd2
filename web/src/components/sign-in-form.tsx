/** Signing in by a key or by the operator's provider: on the page of its own, and over a page whose session has ended. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Session } from '../../../src/contract/session.ts'
import { client, rememberToken } from '../client.ts'
import { useT } from '../i18n/text.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { FailureLine } from './failure.tsx'
import { SecretInput } from './login-fields.tsx'

interface SignInFormProps {
  readonly signedIn: (session: Session) => void
  /** The provider in a window of its own, so that this page stays. */
  readonly aside?: boolean
}

export const SignInForm = ({ signedIn, aside = false }: SignInFormProps) => {
  const t = useT()
  const ways = useQuery({ queryKey: ['sign-in'], queryFn: () => client.readSignIn() })
  const { form, sending, submit } = useSentForm({
    initialValues: { api_key: '' },
    send: ({ api_key: key }) => client.createSession({ body: { api_key: key.trim() } }),
    sent: (session) => {
      rememberToken(session.csrf_token)
      signedIn(session)
    },
  })
  return (
    <>
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
        <Button
          component="a"
          href={ways.data.open_id.path}
          {...(aside ? { target: '_blank', rel: 'noopener' } : {})}
          variant="default"
          fullWidth
        >
          {t('signInWith', { name: ways.data.open_id.name })}
        </Button>
      ) : null}
    </>
  )
}
