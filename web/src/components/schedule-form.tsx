/** When runs of a domain start by themselves: the rhythm, the hours that stay free, and how punctual it has to be. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../src/contract/domain.ts'
import type { Rhythm } from '../../../src/contract/schedule.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { Dialog } from './dialog.tsx'
import { FormEnd } from './form-end.tsx'
import { isVerified } from './verified.ts'

const RHYTHMS = ['day', 'week', 'month', 'cron'] as const satisfies readonly Rhythm['every'][]
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** Days that every month has. */
const DAYS_OF_MONTH = Array.from({ length: 28 }, (_, index) => String(index + 1))
const JITTERS = [0, 10, 30, 60] as const

/** As the service takes it, with all that a rhythm can have. */
const FIRST = {
  rhythm: {
    ...{ every: 'week' as Rhythm['every'], at: '03:00', weekday: 'monday' as (typeof DAYS)[number] },
    ...{ day: '1', cron: '0 3 * * 1' },
  },
  quiet_hours: { from: '', to: '' },
  jitter_minutes: '10',
  options: { active: false, auth_stored: false },
}
type Given = typeof FIRST

const rhythmOf = ({ every, at, weekday, day, cron }: Given['rhythm']): Rhythm => {
  if (every === 'cron') return { every, cron }
  if (every === 'week') return { every, at, weekday }
  return every === 'month' ? { every, at, day: day === 'last' ? 'last' : Number(day) } : { every, at }
}

export const ScheduleForm = ({ domain, close }: { readonly domain: Domain; readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const verified = isVerified(domain)
  const { form, sending, submit } = useSentForm({
    mode: 'controlled',
    initialValues: FIRST,
    send: ({ rhythm, quiet_hours: quiet, jitter_minutes: minutes, options }) =>
      client.createSchedule({
        body: {
          domain_id: domain.id,
          rhythm: rhythmOf(rhythm),
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          quiet_hours: quiet.from === '' || quiet.to === '' ? null : quiet,
          jitter_minutes: Number(minutes),
          options,
        },
      }),
    sent: () => {
      void queries.invalidateQueries({ queryKey: ['schedules'] })
      close()
    },
  })
  const quiet = form.values.quiet_hours
  return (
    <Dialog title={t('addSchedule')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('scheduleText')}</p>
        <When form={form} />
        <div className="filters">
          <TextInput
            {...form.getInputProps('quiet_hours.from')}
            type="time"
            label={t('quietFrom')}
            required={quiet.to !== ''}
          />
          <TextInput
            {...form.getInputProps('quiet_hours.to')}
            type="time"
            label={t('quietTo')}
            required={quiet.from !== ''}
          />
          <NativeSelect
            {...form.getInputProps('jitter_minutes')}
            label={t('jitter')}
            data={JITTERS.map((minutes) => ({
              value: String(minutes),
              label: minutes === 0 ? t('punctual') : t('upToMinutes', { n: minutes }),
            }))}
          />
        </div>
        <p className="small quiet">{t('quietHint')}</p>
        <Checkbox
          {...form.getInputProps('options.active', { type: 'checkbox' })}
          label={t('tier_active')}
          description={t('tier_active_hint')}
          disabled={!verified}
        />
        {domain.login === null ? null : (
          <Checkbox
            {...form.getInputProps('options.auth_stored', { type: 'checkbox' })}
            label={t('storedLogin')}
            description={t('storedLoginHint')}
            disabled={!verified}
          />
        )}
        <FormEnd sending={sending} label={t('addSchedule')} close={close} />
      </form>
    </Dialog>
  )
}

const When = ({ form }: { readonly form: UseFormReturnType<Given> }) => {
  const { t } = useText()
  const { every } = form.values.rhythm
  return (
    <>
      <NativeSelect
        {...form.getInputProps('rhythm.every')}
        label={t('rhythm')}
        data={RHYTHMS.map((one) => ({ value: one, label: t(`rhythm_${one}`) }))}
      />
      {every === 'week' ? (
        <NativeSelect
          {...form.getInputProps('rhythm.weekday')}
          label={t('weekday')}
          data={DAYS.map((one) => ({ value: one, label: t(`day_${one}`) }))}
        />
      ) : null}
      {every === 'month' ? (
        <NativeSelect
          {...form.getInputProps('rhythm.day')}
          label={t('weekday')}
          data={[
            ...DAYS_OF_MONTH.map((day) => ({ value: day, label: `${day}.` })),
            { value: 'last', label: t('lastDayOfMonth') },
          ]}
        />
      ) : null}
      {every === 'cron' ? (
        <TextInput {...form.getInputProps('rhythm.cron')} label={t('cron')} required />
      ) : (
        <TextInput
          {...form.getInputProps('rhythm.at')}
          type="time"
          label={t('timeOfDay')}
          description={t('timeOfDayHint')}
          required
        />
      )}
    </>
  )
}
