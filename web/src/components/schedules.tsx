/** Runs of a domain that start by themselves. */
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import type { Schedule } from '../../../src/contract/schedule.ts'
import { client } from '../client.ts'
import { type Translate, useText } from '../i18n/text.tsx'
import { schedulesQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'
import { Said } from './said.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { When } from './when.tsx'

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
      {making ? <ScheduleForm domain={domain} close={() => setMaking(false)} /> : null}
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
        {schedule.quiet_hours === null ? null : (
          <span className="reason">{t('quietBetween', schedule.quiet_hours)}</span>
        )}
        {schedule.last_refusal === null ? null : (
          <span className="reason">
            <Said text={schedule.last_refusal} />
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
