/** The end of a form in a dialog: what went wrong, the button that sends it, the one that leaves. */
import { Button } from '@mantine/core'
import { useText } from '../i18n/text.tsx'
import { FailureLine } from './failure.tsx'

interface FormEndProps {
  readonly sending: { readonly error: unknown; readonly isPending: boolean }
  readonly label: string
  /** What cannot be taken back looks so. */
  readonly danger?: boolean
  readonly close: () => void
}

export const FormEnd = ({ sending, label, danger = false, close }: FormEndProps) => {
  const { t } = useText()
  return (
    <>
      <FailureLine error={sending.error} />
      <div className="row">
        <Button type="submit" className={danger ? 'danger' : ''} loading={sending.isPending}>
          {label}
        </Button>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
      </div>
    </>
  )
}
