/** Runs that start by themselves. */
import { z } from 'zod'
import * as example from '../after-examples.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { Uuid } from '../run.ts'
import { CreateSchedule, ListSchedules, Schedule, UpdateSchedule } from '../schedule.ts'

const ScheduleId = z.strictObject({ id: Uuid.describe('Id of the schedule') })
const SCHEDULE_MISSING = { id: 'schedule_not_found' } as const
const ScheduleList = z.strictObject({ items: z.array(Schedule) })

export const SCHEDULES = {
  listSchedules: endpoint({
    method: 'GET',
    path: '/v1/schedules',
    tag: 'Schedules',
    scope: 'scans:read',
    summary: 'List schedules',
    description: 'All of the organisation or of one domain, newest first; at most 100.',
    query: ListSchedules,
    responses: { 200: json('ScheduleList', ScheduleList, 'Schedules', { items: [example.schedule] }) },
    problems: [],
  }),
  createSchedule: endpoint({
    method: 'POST',
    path: '/v1/schedules',
    tag: 'Schedules',
    scope: 'scans:write',
    summary: 'Start runs of a domain by themselves',
    description:
      'Each firing starts one run under the rules of every other: quota, verification, state of the organisation; ' +
      '`last_refusal` says when one was refused. A run of the same domain and tier that has not ended is waited for. ' +
      'What was missed while the service was down is caught up with one run. With `auth_stored` the runs use ' +
      'the login of the domain; none is kept with the schedule.',
    body: CreateSchedule,
    bodyName: 'CreateSchedule',
    bodyExample: example.createSchedule,
    responses: { 201: json('Schedule', Schedule, 'Made', example.schedule) },
    problems: ['domain_not_found', 'too_many_schedules'],
  }),
  updateSchedule: endpoint({
    method: 'PATCH',
    path: '/v1/schedules/{id}',
    tag: 'Schedules',
    scope: 'scans:write',
    summary: 'Change, pause or resume a schedule',
    description: 'What is absent stays. A new time counts from now.',
    params: ScheduleId,
    missing: SCHEDULE_MISSING,
    body: UpdateSchedule,
    bodyName: 'UpdateSchedule',
    bodyExample: { state: 'paused' },
    responses: {
      200: json('Schedule', Schedule, 'Changed', { ...example.schedule, state: 'paused', next_at: null }),
    },
    problems: ['schedule_not_found'],
  }),
  deleteSchedule: endpoint({
    method: 'DELETE',
    path: '/v1/schedules/{id}',
    tag: 'Schedules',
    scope: 'scans:write',
    summary: 'Remove a schedule',
    description: 'Its runs stay.',
    params: ScheduleId,
    missing: SCHEDULE_MISSING,
    responses: { 204: raw('Deleted', []) },
    problems: ['schedule_not_found'],
  }),
} as const
