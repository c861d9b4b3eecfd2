/** What was decided about a problem: it holds in every run of the domain, until its date or until the evidence changes. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Finding } from '../../../src/contract/finding.ts'
import type { SetTriage } from '../../../src/contract/triage.ts'
import { client } from '../client.ts'
import { date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { decisionOf, refusedOf, triageBy } from '../problem-changes.ts'
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
  const [deciding, setDeciding] = useState<SetTriage | null>(null)
  const { decide, undo, error, refused } = useDecision(run, finding)
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
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setDeciding(refused ?? { state: 'accepted', expires_at: null })}
          >
            {t('decide')}
          </Button>
          {state === 'open' ? null : (
            <Button size="compact-sm" variant="subtle" onClick={() => decide({ state: 'open', expires_at: null })}>
              {t('takeBack')}
            </Button>
          )}
          {undo === null ? null : (
            <Button size="compact-sm" variant="subtle" onClick={undo}>
              {t('undo')}
            </Button>
          )}
        </div>
      ) : null}
      <FailureLine error={error} />
      {deciding === null ? null : <DecisionDialog begun={deciding} decide={decide} close={() => setDeciding(null)} />}
    </section>
  )
}

interface Decision {
  /** Shows it, and only then tells the service; what that refuses is as it was. */
  readonly decide: (decision: SetTriage) => void
  /** Back to what held before the last decision that was made here; null where there is none, or it was open: taking it back does the same. */
  readonly undo: (() => void) | null
  readonly error: unknown
  /** What the service refused, to be looked at again. */
  readonly refused: SetTriage | null
}

const useDecision = (run: string, finding: Finding): Decision => {
  const queries = useQueryClient()
  const { actor } = useSession()
  const { queryKey } = findingQuery(run, finding.id)
  const [before, setBefore] = useState<Finding['triage'] | null>(null)
  const show = (triage: Finding['triage']): void => {
    queries.setQueryData<Finding>(queryKey, (shown) => (shown === undefined ? shown : { ...shown, triage }))
  }
  const sending = useMutation({
    // One after the other, in the order in which they were made.
    scope: { id: `triage ${finding.id}` },
    mutationFn: (body: SetTriage) => client.setTriage({ params: { id: run, finding_id: finding.id }, body }),
    onMutate: async (body) => {
      await queries.cancelQueries({ queryKey })
      show(triageBy(body, actor.name, new Date().toISOString()))
      return finding.triage
    },
    onError: (_error, _body, was) => was && show(was),
    onSuccess: (changed, body, was) => {
      show(changed.triage)
      setBefore(body.state === 'open' || was.state === 'open' ? null : was)
      for (const key of ['findings', 'problem', 'problems', 'problem-events']) {
        void queries.invalidateQueries({ queryKey: [key] })
      }
    },
  })
  return {
    decide: sending.mutate,
    undo: before === null ? null : () => sending.mutate(decisionOf(before)),
    error: sending.error,
    refused: sending.isError ? sending.variables : null,
  }
}

interface DecisionProps {
  /** What the form begins with. */
  readonly begun: SetTriage
  readonly decide: (decision: SetTriage) => void
  readonly close: () => void
}

const DecisionDialog = ({ begun, decide, close }: DecisionProps) => {
  const { t, said } = useText()
  const { actor } = useSession()
  const { form, sending, submit } = useSentForm({
    initialValues: {
      state: DECISIONS.find((one) => one === begun.state) ?? DECISIONS[0],
      owner: begun.owner ?? actor.name,
      reason: begun.reason ?? '',
      expires_at: begun.expires_at?.slice(0, 10) ?? '',
    },
    validate: (values) => {
      const refused = Object.entries(refusedOf(bodyOf(values), new Date().toISOString()))
      return Object.fromEntries(refused.map(([field, why]) => [field, `${said(why)}.`]))
    },
    send: async (values) => decide({ ...bodyOf(values), state: values.state, expires_at: endOf(values.expires_at) }),
    sent: close,
  })
  return (
    <Dialog title={t('decide')} close={close}>
      <form className="stack" onSubmit={submit} noValidate>
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

interface Values {
  readonly state: (typeof DECISIONS)[number]
  readonly owner: string
  readonly reason: string
  readonly expires_at: string
}

const endOf = (day: string): string | null => (day === '' ? null : new Date(`${day}T23:59:59`).toISOString())

/** What was left empty is not said. */
const bodyOf = ({ state, owner, reason, expires_at: day }: Values) => ({
  ...{ state, expires_at: endOf(day) },
  ...(owner.trim() === '' ? {} : { owner }),
  ...(reason.trim() === '' ? {} : { reason }),
})
