import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useText } from '../i18n/text.tsx'

/** What a form holds of a login; empty where none is given. */
export const NO_LOGIN = { auth_cookie: '', auth_header: '' }

/** As the service takes it. */
export const loginOf = ({ auth_cookie: cookie, auth_header: header }: typeof NO_LOGIN) => ({
  auth_cookie: cookie.trim() || null,
  auth_header: header.trim() || null,
})

/** A secret that is typed in: hidden until somebody looks, and never offered again by the browser. */
export const SecretInput = (props: PasswordInputProps) => (
  <PasswordInput {...props} autoComplete="off" aria-invalid={props.error ? true : undefined} />
)

interface LoginFieldsProps {
  readonly form: Pick<UseFormReturnType<typeof NO_LOGIN>, 'key' | 'getInputProps'>
}

/** A cookie, a header line, or both: what a scan behind a login sends along. */
export const LoginFields = ({ form }: LoginFieldsProps) => {
  const { t } = useText()
  const toggle = { 'aria-label': t('showValue') }
  return (
    <>
      <SecretInput
        key={form.key('auth_cookie')}
        {...form.getInputProps('auth_cookie')}
        label={t('authCookie')}
        placeholder="session=…"
        visibilityToggleButtonProps={toggle}
      />
      <SecretInput
        key={form.key('auth_header')}
        {...form.getInputProps('auth_header')}
        label={t('authHeader')}
        placeholder="Authorization: Bearer …"
        visibilityToggleButtonProps={toggle}
      />
    </>
  )
}
