/** `sonde schedule`: runs that start by themselves. */
import { Command } from 'commander'
import { Uuid } from '../../contract/run.ts'
import { CreateSchedule, type Schedule, WEEKDAYS } from '../../contract/schedule.ts'
import { connect, knownDomainId } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { UsageError } from '../exit.ts'
import { clean, jsonText, table } from '../screen.ts'
import { type AsWhom, addAsWhom, asWhom } from './as-whom.ts'
import { examples, JSON_FLAG, matching, oneOf, removedText, wholeNumber } from './options.ts'

const SCHEDULE = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
const ID = ['<id>', 'id of the schedule', matching(Uuid, 'It is the id that "sonde schedule list" shows.')] as const

interface AddOptions extends AsWhom {
  readonly daily?: string
  readonly weekly?: (typeof WEEKDAYS)[number]
  readonly monthly?: string
  readonly at?: string
  readonly cron?: string
  readonly timeZone: string
  readonly jitter: number
  readonly active?: true
  readonly json?: true
}

export const scheduleCommand = (deps: CliDeps): Command => {
  const { out } = deps.screen
  const schedule = new Command('schedule').description('runs that start by themselves')
  const add = schedule
    .command('add')
    .description('start runs of a domain at set times')
    .argument('<domain>', 'name or id of the domain')
    .option('--daily <time>', 'every day at this time, HH:MM')
    .option('--weekly <day>', 'every week on this day, such as monday; needs --at', oneOf(WEEKDAYS))
    .option('--monthly <day>', 'every month on this day, 1 to 28 or last; needs --at')
    .option('--cron <fields>', 'minute, hour, day of month, month, day of week; at most once an hour')
    .option('--at <time>', 'time of day for --weekly and --monthly, HH:MM')
    .option('--time-zone <name>', 'IANA name, such as Europe/Berlin', 'UTC')
    .option('--jitter <minutes>', 'late by chance, by up to so much', wholeNumber(0, 240), 0)
    .option('--active', 'active runs; the domain has to be verified')
  addAsWhom(add, 'without a word as it where there is one')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde schedule add shop.example.com --daily 03:30 --time-zone Europe/Berlin',
        'sonde schedule add shop.example.com --monthly last --at 02:00 --active',
      ),
    )
    .action(async (domain: string, options: AddOptions) => {
      const timing = timingOf(options)
      const client = await connect(deps)
      const made = await client.createSchedule({
        body: { domain_id: await knownDomainId(client, domain), ...timing },
      })
      out(options.json ? jsonText(made) : table(HEADINGS, [rowOf(made)]))
    })
  schedule
    .command('list')
    .description('list the schedules of the organisation')
    .option('--domain <domain>', 'of this domain alone, by name or id')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde schedule list'))
    .action(async (options: { domain?: string; json?: true }) => {
      const client = await connect(deps)
      const query = options.domain === undefined ? {} : { domain_id: await knownDomainId(client, options.domain) }
      const { items } = await client.listSchedules({ query })
      out(options.json ? jsonText({ items }) : table(HEADINGS, items.map(rowOf)))
    })
  for (const [verb, state, words] of [
    ['pause', 'paused', 'start no more runs until it is resumed'],
    ['resume', 'active', 'start runs again, from now on'],
  ] as const)
    schedule
      .command(verb)
      .description(words)
      .argument(...ID)
      .option(...JSON_FLAG)
      .addHelpText('after', examples(`sonde schedule ${verb} ${SCHEDULE}`))
      .action(async (id: string, options: { json?: true }) => {
        const now = await (await connect(deps)).updateSchedule({ params: { id }, body: { state } })
        out(options.json ? jsonText(now) : table(HEADINGS, [rowOf(now)]))
      })
  schedule
    .command('remove')
    .description('remove a schedule; its runs stay')
    .argument(...ID)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde schedule remove ${SCHEDULE}`))
    .action(async (id: string, options: { json?: true }) => {
      await (await connect(deps)).deleteSchedule({ params: { id } })
      out(removedText(id, options.json))
    })
  return schedule
}

/** Checked by the interface's own schema before anything is asked. */
const timingOf = (options: AddOptions): Omit<CreateSchedule, 'domain_id'> => {
  const parsed = CreateSchedule.omit({ domain_id: true }).safeParse({
    rhythm: rhythmOf(options),
    time_zone: options.timeZone,
    jitter_minutes: options.jitter,
    options: {
      ...(options.active ? { active: true } : {}),
      ...asWhom(options),
    },
  })
  if (parsed.success) return parsed.data
  throw new UsageError(
    parsed.error.issues.map(({ path, message }) => `${String(path.at(-1) ?? 'schedule')}: ${message}`).join('\n'),
  )
}

const rhythmOf = ({ daily, weekly, monthly, cron, at }: AddOptions): object => {
  const given = [daily, weekly, monthly, cron].filter((one) => one !== undefined)
  if (given.length !== 1) throw new UsageError('One of --daily, --weekly, --monthly and --cron is needed.')
  if (daily !== undefined) return { every: 'day', at: daily }
  if (cron !== undefined) return { every: 'cron', cron }
  if (at === undefined) throw new UsageError(`--${weekly ? 'weekly' : 'monthly'} needs --at HH:MM.`)
  if (weekly !== undefined) return { every: 'week', weekday: weekly, at }
  return { every: 'month', day: monthly === 'last' ? 'last' : Number(monthly), at }
}

const HEADINGS = ['ID', 'DOMAIN', 'WHEN', 'TIER', 'STATE', 'NEXT', 'LAST REFUSAL'] as const

const rowOf = (one: Schedule): string[] => [
  one.id,
  one.domain,
  whenText(one),
  one.options.active ? 'active' : 'passive',
  one.state,
  one.next_at ?? '-',
  one.last_refusal === null ? '-' : clean(one.last_refusal),
]

const whenText = ({ rhythm: { every, at, weekday, day, cron }, time_zone }: Schedule): string => {
  if (every === 'cron') return `${cron} ${time_zone}`
  const on = weekday ?? (day === undefined ? '' : `day ${day}`)
  return `every ${every}${on === '' ? '' : ` ${on}`} ${at} ${time_zone}`
}
