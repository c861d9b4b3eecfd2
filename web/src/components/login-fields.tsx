import { PasswordInput } from '@mantine/core'
import { useText } from '../i18n/text.tsx'

interface LoginFieldsProps {
  readonly cookie: string
  readonly header: string
  readonly change: (login: { readonly cookie: string; readonly header: string }) => void
}

/** A cookie, a header line, or both: what a scan behind a login sends along. */
export const LoginFields = ({ cookie, header, change }: LoginFieldsProps) => {
  const { t } = useText()
  return (
    <>
      <PasswordInput
        label={t('authCookie')}
        placeholder="session=…"
        autoComplete="off"
        value={cookie}
        onChange={(event) => change({ cookie: event.currentTarget.value, header })}
        visibilityToggleButtonProps={{ 'aria-label': t('showValue') }}
      />
      <PasswordInput
        label={t('authHeader')}
        placeholder="Authorization: Bearer …"
        autoComplete="off"
        value={header}
        onChange={(event) => change({ cookie, header: event.currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': t('showValue') }}
      />
    </>
  )
}
