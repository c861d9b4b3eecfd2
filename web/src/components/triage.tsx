/** What was decided about a problem: it holds in every run of the domain, until its date or until the evidence changes. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Finding } from '../../../src/contract/finding.ts'
import type { SetTriage } from '../../../src/contract/triage.ts'
import { client } from '../client.ts'
import { date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { findingQuery } from '../queries.ts'
import { useMay, useSession } from '../session.tsx'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'

const DECISIONS = ['accepted', 'false_positive'] as const
type Decision = (typeof DECISIONS)[number]

interface TriageProps {
  readonly run: string
  readonly finding: Finding
}

export const Triage = ({ run, finding }: TriageProps) => {
  const { t, language } = useText()
  const may = useMay('scans:write')
  const [deciding, setDeciding] = useState(false)
  const decide = useDecision(run, finding.id, () => setDeciding(false))
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
            <Button
              size="compact-sm"
              variant="subtle"
              loading={decide.isPending}
              onClick={() => decide.mutate({ state: 'open' })}
            >
              {t('takeBack')}
            </Button>
          )}
        </div>
      ) : null}
      {deciding ? null : <FailureLine error={decide.error} />}
      {deciding ? (
        <DecisionDialog decide={decide.mutate} error={decide.error} close={() => setDeciding(false)} />
      ) : null}
    </section>
  )
}

type Given = Partial<SetTriage> & { readonly state: SetTriage['state'] }

const useDecision = (run: string, finding: string, done: () => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Given) => client.setTriage({ params: { id: run, finding_id: finding }, body }),
    onSuccess: (changed) => {
      queries.setQueryData(findingQuery(run, finding).queryKey, changed)
      void queries.invalidateQueries({ queryKey: ['findings', run] })
      done()
    },
  })
}

interface DecisionProps {
  readonly decide: (given: Given) => void
  readonly error: unknown
  readonly close: () => void
}

const DecisionDialog = ({ decide, error, close }: DecisionProps) => {
  const { t } = useText()
  const { actor } = useSession()
  const [state, setState] = useState<Decision>('accepted')
  const [owner, setOwner] = useState(actor.name)
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const expiresAt = until === '' ? null : new Date(`${until}T23:59:59`).toISOString()
    decide({ state, owner, reason, expires_at: expiresAt })
  }
  return (
    <Dialog title={t('decide')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('decideText')}</p>
        <NativeSelect
          label={t('decision')}
          value={state}
          onChange={(event) => setState(DECISIONS.find((one) => one === event.currentTarget.value) ?? 'accepted')}
          data={DECISIONS.map((one) => ({ value: one, label: t(`triage_${one}`) }))}
        />
        <TextInput
          label={t('owner')}
          required
          value={owner}
          onChange={(event) => setOwner(event.currentTarget.value)}
        />
        <TextInput
          label={t('reason')}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('validUntil')}
          description={t('validUntilHint')}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <FailureLine error={error} />
        <div className="row">
          <Button type="submit">{t('decide')}</Button>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
