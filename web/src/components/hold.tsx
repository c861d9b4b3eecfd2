/** The emergency stop: the banner over every page while it lasts, and where owners pull it. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hold } from '../../../src/contract/hold.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { organisationQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { FormEnd } from './form-end.tsx'
import { When } from './when.tsx'

/** Runs, their list and the organisation show it. */
const useTold = (): (() => void) => {
  const queries = useQueryClient()
  return () => {
    for (const queryKey of [organisationQuery.queryKey, ['runs'], ['run'], ['activity']])
      void queries.invalidateQueries({ queryKey })
  }
}

/** Over every page, for everybody: why nothing starts, and since when. */
export const HoldBanner = () => {
  const organisation = useQuery(organisationQuery)
  const hold = organisation.data?.hold ?? null
  return <div role="status">{hold === null ? null : <Held hold={hold} />}</div>
}

const Held = ({ hold }: { readonly hold: Hold }) => {
  const { t } = useText()
  const may = useMay('organisation:write') && hold.by === 'organisation'
  const told = useTold()
  const release = useMutation({ mutationFn: () => client.releaseRuns(), onSuccess: told })
  return (
    <div className="banner">
      <p>
        <strong>{t('heldTitle')}</strong> {hold.by === 'operator' ? t('heldByOperator') : hold.held_by},{' '}
        <When iso={hold.held_at} />
        {hold.reason === null ? '. ' : `: ${hold.reason}. `}
        {t('heldText')}
      </p>
      {may ? (
        <Button variant="default" loading={release.isPending} onClick={() => release.mutate()}>
          {t('releaseRuns')}
        </Button>
      ) : null}
      <FailureLine error={release.error} />
    </div>
  )
}

/** For owners; while a hold lasts, the banner is where it is released. */
export const StopSection = ({ hold }: { readonly hold: Hold | null }) => {
  const { t } = useText()
  const [asking, setAsking] = useState(false)
  if (!useMay('organisation:write') || hold !== null) return null
  return (
    <section className="card pad stack tight" aria-labelledby="stop">
      <h2 id="stop">{t('stopTitle')}</h2>
      <p className="quiet small">{t('stopText')}</p>
      <div className="row">
        <Button className="danger" onClick={() => setAsking(true)}>
          {t('stopRuns')}
        </Button>
      </div>
      {asking ? <AskToStop close={() => setAsking(false)} /> : null}
    </section>
  )
}

const AskToStop = ({ close }: { readonly close: () => void }) => {
  const { t } = useText()
  const told = useTold()
  const { form, sending, submit } = useSentForm({
    initialValues: { reason: '' },
    send: ({ reason }) => client.stopRuns({ body: reason.trim() === '' ? {} : { reason: reason.trim() } }),
    sent: () => {
      told()
      close()
    },
  })
  return (
    <Dialog title={t('stopQuestion')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p>{t('stopText')}</p>
        <TextInput key={form.key('reason')} {...form.getInputProps('reason')} label={t('stopReason')} maxLength={200} />
        <FormEnd sending={sending} label={t('stopRuns')} danger close={close} />
      </form>
    </Dialog>
  )
}
