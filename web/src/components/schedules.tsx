/** Runs of a domain that start by themselves. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import type { Rhythm, Schedule } from '../../../src/contract/schedule.ts'
import { client } from '../client.ts'
import { type Translate, useText } from '../i18n/text.tsx'
import { schedulesQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { isVerified } from './verified.ts'
import { When } from './when.tsx'

const RHYTHMS = ['day', 'week', 'month', 'cron'] as const satisfies readonly Rhythm['every'][]
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export const Schedules = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const may = useMay('scans:write')
  const schedules = useQuery(schedulesQuery(domain.id))
  const [making, setMaking] = useState(false)
  const items = schedules.data?.items ?? []
  return (
    <section className="card pad stack tight" aria-labelledby="schedule">
      <div className="row between">
        <h2 id="schedule">{t('schedule')}</h2>
        {may ? (
          <Button size="compact-sm" variant="default" onClick={() => setMaking(true)}>
            {t('addSchedule')}
          </Button>
        ) : null}
      </div>
      <FailureLine error={schedules.error} />
      {items.length === 0 ? <p className="quiet small">{t('noSchedule')}</p> : null}
      <ul className="stack tight">
        {items.map((schedule) => (
          <OneSchedule key={schedule.id} schedule={schedule} />
        ))}
      </ul>
      {making ? <MakeSchedule domain={domain} close={() => setMaking(false)} /> : null}
    </section>
  )
}

const rhythmText = ({ rhythm, time_zone }: Schedule, t: Translate): string => {
  const { every, at = '', weekday, day, cron } = rhythm
  const when =
    every === 'cron'
      ? (cron ?? '')
      : every === 'day'
        ? t('everyDay', { at })
        : every === 'week'
          ? t('everyWeek', { at, day: t(`day_${weekday ?? 'monday'}`) })
          : t('everyMonth', { at, day: day === 'last' ? t('lastDay') : `${day}.` })
  return `${when} (${time_zone})`
}

const OneSchedule = ({ schedule }: { readonly schedule: Schedule }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('scans:write')
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['schedules'] })
  const change = useMutation({
    mutationFn: () =>
      client.updateSchedule({
        params: { id: schedule.id },
        body: { state: schedule.state === 'active' ? 'paused' : 'active' },
      }),
    onSettled: again,
  })
  const remove = useMutation({
    mutationFn: () => client.deleteSchedule({ params: { id: schedule.id } }),
    onSettled: again,
  })
  const what = rhythmText(schedule, t)
  return (
    <li className="row between">
      <span>
        <strong>{what}</strong>{' '}
        <span className="quiet small">
          {t(schedule.options.active ? 'tier_active' : 'tier_passive')}
          {schedule.options.auth_stored ? `, ${t('withLogin')}` : ''}
          {schedule.next_at === null ? `, ${t('paused')}` : ''}
        </span>
        {schedule.next_at === null ? null : (
          <span className="reason">
            {t('nextAt')} <When iso={schedule.next_at} />
          </span>
        )}
        {schedule.last_refusal === null ? null : (
          <span className="reason" lang="en">
            {schedule.last_refusal}
          </span>
        )}
        <FailureLine error={change.error ?? remove.error} />
      </span>
      {may ? (
        <span className="row">
          <Button
            size="compact-sm"
            variant="default"
            loading={change.isPending}
            aria-label={`${schedule.state === 'active' ? t('pause') : t('resume')}: ${what}`}
            onClick={() => change.mutate()}
          >
            {schedule.state === 'active' ? t('pause') : t('resume')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            loading={remove.isPending}
            aria-label={`${t('remove')}: ${what}`}
            onClick={() => remove.mutate()}
          >
            {t('remove')}
          </Button>
        </span>
      ) : null}
    </li>
  )
}

const MakeSchedule = ({ domain, close }: { readonly domain: Domain; readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const [every, setEvery] = useState<Rhythm['every']>('week')
  const [at, setAt] = useState('03:00')
  const [weekday, setWeekday] = useState<(typeof DAYS)[number]>('monday')
  const [cron, setCron] = useState('0 3 * * 1')
  const [active, setActive] = useState(false)
  const [login, setLogin] = useState(false)
  const rhythm: Rhythm =
    every === 'cron'
      ? { every, cron }
      : every === 'week'
        ? { every, at, weekday }
        : every === 'month'
          ? { every, at, day: 1 }
          : { every, at }
  const make = useMutation({
    mutationFn: () =>
      client.createSchedule({
        body: {
          domain_id: domain.id,
          rhythm,
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          jitter_minutes: 10,
          options: { active, auth_stored: login },
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
        <NativeSelect
          label={t('rhythm')}
          value={every}
          onChange={(event) => setEvery(RHYTHMS.find((one) => one === event.currentTarget.value) ?? 'week')}
          data={RHYTHMS.map((one) => ({ value: one, label: t(`rhythm_${one}`) }))}
        />
        {every === 'week' ? (
          <NativeSelect
            label={t('weekday')}
            value={weekday}
            onChange={(event) => setWeekday(DAYS.find((one) => one === event.currentTarget.value) ?? 'monday')}
            data={DAYS.map((one) => ({ value: one, label: t(`day_${one}`) }))}
          />
        ) : null}
        {every === 'cron' ? (
          <TextInput label={t('cron')} value={cron} onChange={(event) => setCron(event.currentTarget.value)} />
        ) : (
          <TextInput
            type="time"
            label={t('timeOfDay')}
            description={t('timeOfDayHint')}
            value={at}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
        )}
        <Checkbox
          label={t('tier_active')}
          description={t('tier_active_hint')}
          disabled={!isVerified(domain)}
          checked={active}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
        {domain.login === null ? null : (
          <Checkbox
            label={t('storedLogin')}
            description={t('storedLoginHint')}
            disabled={!isVerified(domain)}
            checked={login}
            onChange={(event) => setLogin(event.currentTarget.checked)}
          />
        )}
        <FailureLine error={make.error} />
        <div className="row">
          <Button type="submit" loading={make.isPending}>
            {t('addSchedule')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
