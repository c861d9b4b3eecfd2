/** By when findings of a severity are to be fixed: the policy of the organisation. */
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DueDays } from '../../../../src/contract/due-days.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { dueDaysQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useSentForm } from '../../use-sent-form.tsx'
import { SEVERITIES } from '../../words.ts'
import { FailureLine } from '../failure.tsx'

export const DueDaysSection = () => {
  const { t } = useText()
  const may = useMay('organisation:read')
  const days = useQuery({ ...dueDaysQuery, enabled: may })
  if (days.data === undefined) return <FailureLine error={days.error} />
  return (
    <section className="card pad stack tight" aria-labelledby="due-days">
      <h2 id="due-days">{t('dueDays')}</h2>
      <p className="quiet small">{t('dueDaysText')}</p>
      <DaysForm key={JSON.stringify(days.data)} days={days.data} />
    </section>
  )
}

const DaysForm = ({ days }: { readonly days: DueDays }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('organisation:write')
  const { form, sending, submit } = useSentForm({
    initialValues: Object.fromEntries(SEVERITIES.map((one) => [one, String(days[one] ?? '')])),
    send: (values) =>
      client.setDueDays({
        body: Object.fromEntries(SEVERITIES.map((one) => [one, values[one] ? Number(values[one]) : null])),
      }),
    sent: (changed) => queries.setQueryData(dueDaysQuery.queryKey, changed),
  })
  return (
    <form className="stack tight" onSubmit={submit}>
      <div className="filters">
        {SEVERITIES.map((one) => (
          <TextInput
            key={form.key(one)}
            {...form.getInputProps(one)}
            type="number"
            min={0}
            max={3650}
            readOnly={!may}
            label={t(`severity_${one}`)}
          />
        ))}
      </div>
      <FailureLine error={sending.error} />
      {may ? (
        <div>
          <Button type="submit" variant="default" loading={sending.isPending}>
            {t('save')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}
