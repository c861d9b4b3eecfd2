import { ProblemError } from '../../contract/problem.ts'
import { type Schedule, Timing } from '../../contract/schedule.ts'
import { cronFault } from '../../store/firing.ts'
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
  wholeOptions,
} from '../../store/schedules.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'

export const scheduleRoutes = ({ db }: Services): readonly Route[] => [
  bind('listSchedules', async ({ query, caller }) =>
    answer(200, { items: await listSchedules(db, caller.organisation.id, query.domain_id ?? null) }),
  ),

  bind('createSchedule', async ({ body: { domain_id, options, ...times }, caller }) => {
    refuseCron(times)
    const made = await createSchedule(db, caller.organisation.id, domain_id, times, wholeOptions(options))
    if (made === 'domain_not_found') throw new ProblemError('domain_not_found', 'There is no such domain.')
    if (made === 'too_many_schedules') {
      throw new ProblemError('too_many_schedules', 'There are 100 already; remove one first.')
    }
    return answer(201, made)
  }),

  bind('updateSchedule', async ({ params, body, caller }) => {
    const before = present(await getSchedule(db, caller.organisation.id, params.id))
    const { options: _, state: __, ...times } = body
    refuseCron(Timing.parse({ ...timingOf(before), ...times }))
    return answer(200, present(await updateSchedule(db, caller.organisation.id, params.id, body)))
  }),

  bind('deleteSchedule', async ({ params, caller }) => {
    const { domain } = present(await getSchedule(db, caller.organisation.id, params.id))
    if (!(await deleteSchedule(db, caller.organisation.id, params.id))) throw noSchedule()
    return about(domain, rawAnswer(204, null))
  }),
]

const timingOf = ({ rhythm, time_zone, quiet_hours, jitter_minutes }: Schedule): Timing => ({
  ...{ rhythm, time_zone, quiet_hours, jitter_minutes },
})

const refuseCron = (times: Timing): void => {
  const fault = cronFault(times)
  if (fault === null) return
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'rhythm.cron', message: fault }],
  })
}

const noSchedule = (): ProblemError => new ProblemError('schedule_not_found', 'There is no such schedule.')

const present = (found: Schedule | null): Schedule => {
  if (found === null) throw noSchedule()
  return found
}
