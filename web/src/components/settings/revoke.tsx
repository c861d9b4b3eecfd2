/** What opens doors, and is revoked: the end of its row in a list, and the question before it. */
import { Button } from '@mantine/core'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useText } from '../../i18n/text.tsx'
import { Dialog } from '../dialog.tsx'
import { FailureLine } from '../failure.tsx'

interface RevokeButtonProps {
  readonly name: string
  readonly onClick: () => void
}

export const RevokeButton = ({ name, onClick }: RevokeButtonProps) => {
  const { t } = useText()
  return (
    <Button size="compact-sm" variant="default" aria-label={`${t('revoke')} ${name}`} onClick={onClick}>
      {t('revoke')}
    </Button>
  )
}

interface RevokeDialogProps {
  readonly name: string
  /** What comes of it. */
  readonly text: string
  readonly revoke: () => Promise<unknown>
  /** Of the list that shows it. */
  readonly queryKey: QueryKey
  readonly close: () => void
}

export const RevokeDialog = ({ name, text, revoke, queryKey, close }: RevokeDialogProps) => {
  const { t } = useText()
  const queries = useQueryClient()
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey })
      close()
    },
  })
  return (
    <Dialog title={t('revokeQuestion', { name })} close={close}>
      <div className="stack">
        <p>{text}</p>
        <FailureLine error={revoking.error} />
        <div className="row">
          <Button className="danger" loading={revoking.isPending} onClick={() => revoking.mutate()}>
            {t('revoke')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
