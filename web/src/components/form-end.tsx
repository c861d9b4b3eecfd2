/** The end of a form in a dialog: what went wrong, the button that sends it, the one that leaves. */
import { Button } from '@mantine/core'
import { useText } from '../i18n/text.tsx'
import { FailureLine } from './failure.tsx'

interface FormEndProps {
  readonly error: unknown
  readonly busy: boolean
  readonly disabled?: boolean
  readonly label: string
  readonly close: () => void
}

export const FormEnd = ({ error, busy, disabled = false, label, close }: FormEndProps) => {
  const { t } = useText()
  return (
    <>
      <FailureLine error={error} />
      <div className="row">
        <Button type="submit" loading={busy} disabled={disabled}>
          {label}
        </Button>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
      </div>
    </>
  )
}
