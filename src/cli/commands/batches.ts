/** `sonde batch`: many domains, one set of options. */
import { randomUUID } from 'node:crypto'
import { Command, Option } from 'commander'
import type { Batch, BatchOptions } from '../../contract/batch.ts'
import { everyItem } from '../../contract/client.ts'
import { namesIn } from '../../contract/domain-table.ts'
import { ExcludePattern } from '../../contract/exclude.ts'
import { SiteContext, Uuid } from '../../contract/run.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { LIST_TIMEOUT, namedRefusal, readList } from '../domain-file.ts'
import { clean, jsonText, table } from '../screen.ts'
import { EXCLUDE_HINT, examples, gathered, JSON_FLAG, matching, oneOf } from './options.ts'
import { addSwitches, switchesOf } from './switches.ts'

const BATCH = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
const ID = ['<id>', 'id of the batch', matching(Uuid, 'It is the id that "sonde batch list" shows.')] as const

interface StartOptions extends Readonly<Record<string, unknown>> {
  readonly active: boolean
  readonly context?: SiteContext
  readonly exclude: readonly string[]
  readonly json?: true
}

export const batchCommand = (deps: CliDeps): Command => {
  const batch = new Command('batch').description('runs of many domains with one set of options')
  batch.addCommand(startCommand(deps))
  for (const command of readingCommands(deps)) batch.addCommand(command)
  for (const command of movingCommands(deps)) batch.addCommand(command)
  return batch
}

const startCommand = (deps: CliDeps): Command => {
  const start = new Command('start')
    .description('start runs of many domains; they yield to runs started alone')
    .argument('<file>', 'one name a line, or a table (CSV) with a column "domain"; - is standard input')
    .option('--active', 'active runs; every domain has to be verified', false)
    .option('--context <context>', 'what kind of sites they are', oneOf(SiteContext.options))
    .option(
      '--exclude <pattern>',
      'never ask for these addresses, e.g. "/admin"; repeatable',
      gathered(ExcludePattern, EXCLUDE_HINT),
      [],
    )
  addSwitches(start, ['dry_run'])
  return start
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples('sonde batch start domains.txt --survey', 'sonde batch start inventory.csv --no-privacy --no-report'),
    )
    .action(async (file: string, options: StartOptions) => {
      const domains = await readList(file, namesIn)
      const client = await connect(deps, LIST_TIMEOUT)
      // One key for this start: should the client repeat the request, there is still one batch.
      const headers = { 'idempotency-key': randomUUID() }
      const made = await client
        .createBatch({ body: { domains, options: optionsOf(options) }, headers })
        .catch((error: unknown) => {
          throw namedRefusal(error, domains)
        })
      deps.screen.out(options.json ? jsonText(made) : batchText(made))
    })
}

const optionsOf = (options: StartOptions): BatchOptions => ({
  active: options.active,
  ...switchesOf(options),
  context: options.context ?? null,
  exclude: [...options.exclude],
})

const readingCommands = (deps: CliDeps): readonly Command[] => {
  const { out } = deps.screen
  const list = new Command('list')
    .description('list the batches, newest first')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde batch list'))
    .action(async (options: { json?: true }) => {
      const client = await connect(deps)
      const items: Batch[] = []
      for await (const one of everyItem((cursor) => client.listBatches({ query: { cursor, limit: 100 } })))
        items.push(one)
      out(options.json ? jsonText({ items }) : table(HEADINGS, items.map(rowOf)))
    })
  const show = new Command('show')
    .description('show how far a batch is')
    .argument(...ID)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde batch show ${BATCH}`))
    .action(async (id: string, options: { json?: true }) => {
      const found = await (await connect(deps)).readBatch({ params: { id } })
      out(options.json ? jsonText(found) : batchText(found))
    })
  const results = new Command('results')
    .description('print what became of each domain, as a line of JSON each')
    .argument(...ID)
    .option('--csv', 'as a table (CSV)', false)
    .addOption(new Option('--json', 'as lines of JSON, as without it').conflicts('csv'))
    .addHelpText('after', examples(`sonde batch results ${BATCH} --csv > results.csv`))
    .action(async (id: string, { csv }: { csv: boolean }) => {
      const client = await connect(deps)
      const answer = await client.request('readBatchResults', { params: { id }, query: csv ? { format: 'csv' } : {} })
      for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        // A terminal obeys what a site may have written; a file keeps it as it is.
        out(deps.screen.isTTY ? text.split('\n').map(clean).join('\n') : text)
      }
    })
  return [list, show, results]
}

const MOVES = [
  ['pause', 'pauseBatch', 'start no more of its runs; those that go on end'],
  ['resume', 'resumeBatch', 'start its runs again'],
  ['cancel', 'cancelBatch', 'end it: what waits never starts, what goes on is asked to end'],
] as const

const movingCommands = (deps: CliDeps): readonly Command[] =>
  MOVES.map(([verb, call, words]) =>
    new Command(verb)
      .description(words)
      .argument(...ID)
      .option(...JSON_FLAG)
      .addHelpText('after', examples(`sonde batch ${verb} ${BATCH}`))
      .action(async (id: string, options: { json?: true }) => {
        const now = await (await connect(deps))[call]({ params: { id } })
        deps.screen.out(options.json ? jsonText(now) : batchText(now))
      }),
  )

const HEADINGS = ['ID', 'STATE', 'DOMAINS', 'ENDED', 'FAILED', 'KIND', 'SINCE'] as const

const rowOf = (one: Batch): string[] => {
  const { total, failed } = one.counts
  return [one.id, stateOf(one), String(total), `${endedOf(one)}`, String(failed), kindOf(one), one.created_at]
}

const endedOf = ({ counts: { total, waiting, running } }: Batch): number => total - waiting - running

const kindOf = ({ options }: Batch): string => (options.survey ? 'survey' : options.active ? 'active' : 'passive')

/** A cancelled one is that at once; its last runs end a moment later. */
const stateOf = ({ state, finished_at }: Batch): string =>
  state === 'canceled' && finished_at === null ? 'ending' : state

const batchText = (one: Batch): string => {
  const { total, ...states } = one.counts
  const percent = Math.floor((endedOf(one) / total) * 100)
  const parts = Object.entries(states).filter(([, count]) => count > 0)
  return `${one.id}  ${kindOf(one)}  ${stateOf(one)}  ${percent} % of ${total}: ${parts.map(([name, count]) => `${count} ${name}`).join(', ')}\n`
}
