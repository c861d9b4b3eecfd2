/** Changes one finding, or several alike. What is left as it was is not sent. */
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ChangeFields, DomainFinding } from '../../../../src/contract/domain-finding.ts'
import type { Severity } from '../../../../src/contract/finding.ts'
import type { TriageState } from '../../../../src/contract/triage.ts'
import { useText } from '../../i18n/text.tsx'
import { refusedOf } from '../../problem-changes.ts'
import { membersQuery } from '../../queries.ts'
import { useMay, useSession } from '../../session.tsx'
import { useSentForm } from '../../use-sent-form.tsx'
import { SEVERITIES } from '../../words.ts'
import { Dialog } from '../dialog.tsx'
import { FormEnd } from '../form-end.tsx'
import { CommentField } from './comment-field.tsx'
import { useSendChange } from './last-change.tsx'

const DECISIONS = ['accepted', 'false_positive', 'open'] as const

interface ChangeDialogProps {
  readonly findings: readonly DomainFinding[]
  /** What was entered before and was refused. */
  readonly begun?: ChangeFields
  readonly close: () => void
}

type Values = Record<'state' | 'owner' | 'reason' | 'expires_at' | 'severity' | 'assignee' | 'due' | 'comment', string>

const ChangeDialog = ({ findings, begun = {}, close }: ChangeDialogProps) => {
  const { t, said } = useText()
  const { actor } = useSession()
  const people = useId()
  const mayMembers = useMay('organisation:read')
  const members = useQuery({ ...membersQuery, enabled: mayMembers })
  const send = useSendChange()
  const before: Values = {
    ...{ state: '', owner: actor.name, reason: '', expires_at: '', severity: '', comment: '' },
    assignee: shared(findings.map(({ assignee }) => assignee)),
    due: shared(findings.map(({ due }) => due)),
  }
  const { form, sending, submit } = useSentForm({
    initialValues: { ...before, ...valuesOf(begun) },
    validate: (values) => {
      const refused = Object.entries(refusedOf(changeOf(values, before), new Date().toISOString()))
      return Object.fromEntries(refused.map(([field, why]) => [field, `${said(why)}.`]))
    },
    send: async (values) => send({ findings, change: changeOf(values, before) }),
    sent: close,
  })
  const names = [...new Set([actor.name, ...(members.data?.items ?? []).map(({ name }) => name)])]
  return (
    <Dialog title={t('changeFindings', { n: findings.length })} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('changeText')}</p>
        <NativeSelect
          key={form.key('state')}
          {...form.getInputProps('state')}
          label={t('decision')}
          data={[
            { value: '', label: t('asItIs') },
            ...DECISIONS.map((one) => ({ value: one, label: t(`triage_${one}`) })),
          ]}
        />
        <NativeSelect
          key={form.key('severity')}
          {...form.getInputProps('severity')}
          label={t('severity')}
          data={[
            { value: '', label: t('asItIs') },
            { value: 'judged', label: t('asJudged') },
            ...SEVERITIES.map((one) => ({ value: one, label: t(`severity_${one}`) })),
          ]}
        />
        <TextInput
          key={form.key('reason')}
          {...form.getInputProps('reason')}
          label={t('reason')}
          description={t('reasonHint')}
        />
        <div className="pair">
          <TextInput key={form.key('owner')} {...form.getInputProps('owner')} label={t('owner')} list={people} />
          <TextInput
            key={form.key('expires_at')}
            {...form.getInputProps('expires_at')}
            type="date"
            label={t('validUntil')}
          />
        </div>
        <div className="pair">
          <TextInput
            key={form.key('assignee')}
            {...form.getInputProps('assignee')}
            label={t('assignee')}
            list={people}
          />
          <TextInput key={form.key('due')} {...form.getInputProps('due')} type="date" label={t('due')} />
        </div>
        <datalist id={people}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <CommentField key={form.key('comment')} {...form.getInputProps('comment')} />
        <FormEnd sending={sending} label={t('change_do')} close={close} />
      </form>
    </Dialog>
  )
}

/** As the form has them. */
const valuesOf = ({ expires_at, severity, ...change }: ChangeFields): Partial<Values> => ({
  ...Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? ''])),
  ...(expires_at ? { expires_at: expires_at.slice(0, 10) } : {}),
  ...(severity === undefined ? {} : { severity: severity ?? 'judged' }),
})

/** What all of them have; empty where they differ. */
const shared = (values: readonly (string | null)[]): string => (new Set(values).size === 1 ? (values[0] ?? '') : '')

const changeOf = (values: Values, before: Values): ChangeFields => {
  const decides = values.state !== '' && values.state !== 'open'
  const emptied = (name: 'assignee' | 'due') =>
    values[name].trim() === before[name] ? {} : { [name]: values[name].trim() || null }
  return {
    ...(values.state === '' ? {} : { state: values.state as TriageState }),
    ...(decides ? { owner: values.owner, ...endOf(values.expires_at) } : {}),
    ...(values.severity === ''
      ? {}
      : { severity: values.severity === 'judged' ? null : (values.severity as Severity) }),
    ...(values.reason.trim() === '' ? {} : { reason: values.reason }),
    ...emptied('assignee'),
    ...emptied('due'),
    ...(values.comment.trim() === '' ? {} : { comment: values.comment }),
  }
}

const endOf = (day: string): { expires_at?: string } =>
  day === '' ? {} : { expires_at: new Date(`${day}T23:59:59`).toISOString() }

export default ChangeDialog
