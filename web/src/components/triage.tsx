/** What was decided about a problem: it holds in every run of the domain, until its date or until the evidence changes. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Finding } from '../../../src/contract/finding.ts'
import { client } from '../client.ts'
import { date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { findingQuery } from '../queries.ts'
import { useMay, useSession } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { FormEnd } from './form-end.tsx'

const DECISIONS = ['accepted', 'false_positive'] as const

interface TriageProps {
  readonly run: string
  readonly finding: Finding
}

export const Triage = ({ run, finding }: TriageProps) => {
  const { t, language } = useText()
  const may = useMay('scans:write')
  const [deciding, setDeciding] = useState(false)
  const decided = useDecided(run, finding.id)
  const takeBack = useMutation({
    mutationFn: () => client.setTriage({ params: { id: run, finding_id: finding.id }, body: { state: 'open' } }),
    onSuccess: decided,
  })
  const { state, reopened, owner, reason, expires_at } = finding.triage
  return (
    <section className="card pad stack tight" aria-labelledby="triage">
      <h2 id="triage">{t('decision')}</h2>
      <p>
        <span className={`tag ${state === 'open' ? '' : 'good'}`}>{t(`triage_${state}`)}</span>
      </p>
      {reopened === null ? null : <p className="small">{t(`reopened_${reopened}`)}</p>}
      {owner === null ? null : (
        <p className="small quiet break">
          {owner}: {reason}
        </p>
      )}
      {state === 'open' || expires_at === null ? null : (
        <p className="small quiet">{t('decidedUntil', { day: date(expires_at, language) })}</p>
      )}
      {may ? (
        <div className="row">
          <Button size="compact-sm" variant="default" onClick={() => setDeciding(true)}>
            {t('decide')}
          </Button>
          {state === 'open' ? null : (
            <Button size="compact-sm" variant="subtle" loading={takeBack.isPending} onClick={() => takeBack.mutate()}>
              {t('takeBack')}
            </Button>
          )}
        </div>
      ) : null}
      <FailureLine error={takeBack.error} />
      {deciding ? <DecisionDialog run={run} finding={finding.id} close={() => setDeciding(false)} /> : null}
    </section>
  )
}

/** Shows the finding as the service answered it. */
const useDecided = (run: string, finding: string): ((changed: Finding) => void) => {
  const queries = useQueryClient()
  return (changed) => {
    queries.setQueryData(findingQuery(run, finding).queryKey, changed)
    void queries.invalidateQueries({ queryKey: ['findings', run] })
  }
}

interface DecisionProps {
  readonly run: string
  readonly finding: string
  readonly close: () => void
}

const DecisionDialog = ({ run, finding, close }: DecisionProps) => {
  const { t } = useText()
  const { actor } = useSession()
  const decided = useDecided(run, finding)
  const { form, sending, submit } = useSentForm({
    initialValues: { state: DECISIONS[0] as (typeof DECISIONS)[number], owner: actor.name, reason: '', expires_at: '' },
    send: ({ expires_at: day, ...given }) =>
      client.setTriage({
        params: { id: run, finding_id: finding },
        body: { ...given, expires_at: day === '' ? null : new Date(`${day}T23:59:59`).toISOString() },
      }),
    sent: (changed) => {
      decided(changed)
      close()
    },
  })
  return (
    <Dialog title={t('decide')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('decideText')}</p>
        <NativeSelect
          key={form.key('state')}
          {...form.getInputProps('state')}
          label={t('decision')}
          data={DECISIONS.map((one) => ({ value: one, label: t(`triage_${one}`) }))}
        />
        <TextInput key={form.key('owner')} {...form.getInputProps('owner')} label={t('owner')} required />
        <TextInput key={form.key('reason')} {...form.getInputProps('reason')} label={t('reason')} required />
        <TextInput
          key={form.key('expires_at')}
          {...form.getInputProps('expires_at')}
          type="date"
          label={t('validUntil')}
          description={t('validUntilHint')}
        />
        <FormEnd sending={sending} label={t('decide')} close={close} />
      </form>
    </Dialog>
  )
}
