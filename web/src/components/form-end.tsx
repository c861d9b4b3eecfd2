/** The ends of forms: what went wrong, and the buttons. */
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

/** Of a form in a dialog: with a button that leaves. */
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

interface SaveEndProps {
  readonly sending: { readonly error: unknown; readonly isPending: boolean; readonly isSuccess: boolean }
  /** Whoever may not change it sees what went wrong alone. */
  readonly may: boolean
}

/** Of a form that stays where it is: it says that it was saved. */
export const SaveEnd = ({ sending, may }: SaveEndProps) => {
  const { t } = useText()
  return (
    <>
      <FailureLine error={sending.error} />
      {may ? (
        <div className="row">
          <Button type="submit" variant="default" loading={sending.isPending}>
            {t('save')}
          </Button>
          <span aria-live="polite" className="small quiet">
            {sending.isSuccess ? t('saved') : ''}
          </span>
        </div>
      ) : null}
    </>
  )
}
