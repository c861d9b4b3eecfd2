/** Runs that start by themselves. */
import { z } from 'zod'
import { AtTime, Hours, TimeZone } from './quiet-hours.ts'
import { RunOptions, Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** No unions by shape: one field says which others count. */
export const Rhythm = z
  .strictObject({
    every: z.enum(['day', 'week', 'month', 'cron']),
    at: AtTime.optional().describe('Needed unless `every` is cron'),
    weekday: z.enum(WEEKDAYS).optional().describe('Needed with `every: week`'),
    day: z
      .union([z.int().min(1).max(28), z.literal('last')])
      .optional()
      .describe('Needed with `every: month`'),
    cron: z
      .string()
      .max(100)
      .regex(/^[\d*,/LA-Za-z#-]+(?: [\d*,/LA-Za-z#-]+){4}$/, 'must be the five fields of a cron expression')
      .optional()
      .describe('Minute, hour, day of month, month, day of week; needed with `every: cron`; at most once an hour'),
  })
  .superRefine((given, { addIssue }) => {
    const needed = { day: ['at'], week: ['at', 'weekday'], month: ['at', 'day'], cron: ['cron'] } as const
    for (const name of ['at', 'weekday', 'day', 'cron'] as const) {
      const needs = (needed[given.every] as readonly string[]).includes(name)
      if (needs === (given[name] !== undefined)) continue
      addIssue({
        code: 'custom',
        path: [name],
        message: `${needs ? 'is needed' : 'means nothing'} with every: ${given.every}`,
      })
    }
  })
export type Rhythm = z.infer<typeof Rhythm>

export const Timing = z.strictObject({
  rhythm: Rhythm,
  time_zone: TimeZone.default('UTC'),
  quiet_hours: Hours.nullable().default(null).describe('No run starts then; one that would, starts at their end'),
  jitter_minutes: z.int().min(0).max(240).default(0).describe('Each start is late by chance, by up to so much'),
})
export type Timing = z.infer<typeof Timing>

export const Schedule = z.strictObject({
  id: Uuid,
  domain_id: Uuid,
  domain: z.string(),
  ...Timing.shape,
  options: RunOptions,
  state: z.enum(['active', 'paused']),
  next_at: Timestamp.nullable().describe('Null while paused'),
  last_at: Timestamp.nullable(),
  last_run_id: Uuid.nullable(),
  last_refusal: z.string().nullable().describe('Why the last time no run was started'),
  created_at: Timestamp,
})
export type Schedule = z.infer<typeof Schedule>

/** A run with a login takes what is stored with the domain: none is kept with a schedule. */
const ScheduledOptions = RunOptions.omit({
  requests_per_second: true,
  sign_in_hosts: true,
  dry_run: true,
  survey: true,
}).partial()

export const CreateSchedule = z.strictObject({
  domain_id: Uuid,
  ...Timing.shape,
  options: ScheduledOptions.default({}).describe('As for starting a run; what is absent has its default'),
})
export type CreateSchedule = z.infer<typeof CreateSchedule>

export const UpdateSchedule = z.strictObject({
  rhythm: Rhythm.optional(),
  time_zone: TimeZone.optional(),
  quiet_hours: Timing.shape.quiet_hours.unwrap().optional(),
  jitter_minutes: Timing.shape.jitter_minutes.unwrap().optional(),
  options: ScheduledOptions.optional().describe('Only what is named changes'),
  state: z.enum(['active', 'paused']).optional(),
})
export type UpdateSchedule = z.infer<typeof UpdateSchedule>

export const ListSchedules = z.strictObject({
  domain_id: Uuid.optional().describe('Of this domain alone'),
})

/** More than one an hour for a day would be no schedule. */
export const MAX_SCHEDULES = 100
