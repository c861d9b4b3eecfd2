/** When runs of a domain start by themselves: the rhythm, the hours that stay free, and how punctual it has to be. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import type { Rhythm } from '../../../src/contract/schedule.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { Dialog } from './dialog.tsx'
import { FormEnd } from './form-end.tsx'
import { isVerified } from './verified.ts'

const RHYTHMS = ['day', 'week', 'month', 'cron'] as const satisfies readonly Rhythm['every'][]
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** Days that every month has. */
const DAYS_OF_MONTH = Array.from({ length: 28 }, (_, index) => String(index + 1))
const JITTERS = [0, 10, 30, 60] as const

interface Given {
  readonly every: Rhythm['every']
  readonly at: string
  readonly weekday: (typeof DAYS)[number]
  readonly day: string
  readonly cron: string
  readonly quietFrom: string
  readonly quietTo: string
  readonly jitter: number
  readonly active: boolean
  readonly login: boolean
}

const FIRST: Given = {
  ...{ every: 'week', at: '03:00', weekday: 'monday', day: '1', cron: '0 3 * * 1' },
  ...{ quietFrom: '', quietTo: '', jitter: 10, active: false, login: false },
}

const rhythmOf = ({ every, at, weekday, day, cron }: Given): Rhythm => {
  if (every === 'cron') return { every, cron }
  if (every === 'week') return { every, at, weekday }
  return every === 'month' ? { every, at, day: day === 'last' ? 'last' : Number(day) } : { every, at }
}

export const ScheduleForm = ({ domain, close }: { readonly domain: Domain; readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const [given, setGiven] = useState(FIRST)
  const change = (part: Partial<Given>): void => setGiven((before) => ({ ...before, ...part }))
  const verified = isVerified(domain)
  const make = useMutation({
    mutationFn: () =>
      client.createSchedule({
        body: {
          domain_id: domain.id,
          rhythm: rhythmOf(given),
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          quiet_hours:
            given.quietFrom === '' || given.quietTo === '' ? null : { from: given.quietFrom, to: given.quietTo },
          jitter_minutes: given.jitter,
          options: { active: given.active, auth_stored: given.login },
        },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['schedules'] })
      close()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <Dialog title={t('addSchedule')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('scheduleText')}</p>
        <When given={given} change={change} />
        <div className="filters">
          <TextInput
            type="time"
            label={t('quietFrom')}
            required={given.quietTo !== ''}
            value={given.quietFrom}
            onChange={(event) => change({ quietFrom: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label={t('quietTo')}
            required={given.quietFrom !== ''}
            value={given.quietTo}
            onChange={(event) => change({ quietTo: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('jitter')}
            value={String(given.jitter)}
            onChange={(event) => change({ jitter: Number(event.currentTarget.value) })}
            data={JITTERS.map((minutes) => ({
              value: String(minutes),
              label: minutes === 0 ? t('punctual') : t('upToMinutes', { n: minutes }),
            }))}
          />
        </div>
        <p className="small quiet">{t('quietHint')}</p>
        <Checkbox
          label={t('tier_active')}
          description={t('tier_active_hint')}
          disabled={!verified}
          checked={given.active}
          onChange={(event) => change({ active: event.currentTarget.checked })}
        />
        {domain.login === null ? null : (
          <Checkbox
            label={t('storedLogin')}
            description={t('storedLoginHint')}
            disabled={!verified}
            checked={given.login}
            onChange={(event) => change({ login: event.currentTarget.checked })}
          />
        )}
        <FormEnd error={make.error} busy={make.isPending} label={t('addSchedule')} close={close} />
      </form>
    </Dialog>
  )
}

interface WhenProps {
  readonly given: Given
  readonly change: (part: Partial<Given>) => void
}

const When = ({ given, change }: WhenProps) => {
  const { t } = useText()
  return (
    <>
      <NativeSelect
        label={t('rhythm')}
        value={given.every}
        onChange={(event) => change({ every: RHYTHMS.find((one) => one === event.currentTarget.value) ?? 'week' })}
        data={RHYTHMS.map((one) => ({ value: one, label: t(`rhythm_${one}`) }))}
      />
      {given.every === 'week' ? (
        <NativeSelect
          label={t('weekday')}
          value={given.weekday}
          onChange={(event) => change({ weekday: DAYS.find((one) => one === event.currentTarget.value) ?? 'monday' })}
          data={DAYS.map((one) => ({ value: one, label: t(`day_${one}`) }))}
        />
      ) : null}
      {given.every === 'month' ? (
        <NativeSelect
          label={t('weekday')}
          value={given.day}
          onChange={(event) => change({ day: event.currentTarget.value })}
          data={[
            ...DAYS_OF_MONTH.map((day) => ({ value: day, label: `${day}.` })),
            { value: 'last', label: t('lastDayOfMonth') },
          ]}
        />
      ) : null}
      {given.every === 'cron' ? (
        <TextInput
          label={t('cron')}
          required
          value={given.cron}
          onChange={(event) => change({ cron: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          type="time"
          label={t('timeOfDay')}
          description={t('timeOfDayHint')}
          required
          value={given.at}
          onChange={(event) => change({ at: event.currentTarget.value })}
        />
      )}
    </>
  )
}
