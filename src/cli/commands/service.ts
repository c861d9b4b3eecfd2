/** Commands that run the service, look after it, or look into it. */
import { Command } from 'commander'
import { Uuid } from '../../contract/run.ts'
import { checksText } from '../check-text.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { locationText } from '../findings-text.ts'
import { clean, countsText, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG, matching, wholeNumber } from './options.ts'

const port = wholeNumber(0, 65_535)

export const serviceCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => [
  ...runningCommands(deps, end),
  ...lookingCommands(deps, end),
]

/** What runs until it is told to end. */
const runningCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const finish = (code: number): void => end(code === 0 ? EXIT.clean : EXIT.failed)

  const demo = new Command('demo')
    .description('scan the bundled demo shop and keep serving: what ./run alone does')
    .option('--once', 'exit when the run has ended', false)
    .option('--port <port>', 'port of the service; 0 picks a free one', port, 8080)
    .option('--json', 'print one JSON object instead of drawing', false)
    .addHelpText('after', examples('sonde demo --once', 'sonde demo --once --json'))
    .action(async (options: { once: boolean; json: boolean; port: number }) => finish(await deps.demo(options)))

  const serve = new Command('serve')
    .description('serve the HTTP interface, with a worker in the same process unless told otherwise')
    .option('--port <port>', '0 picks a free one', port, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--no-worker', 'only the interface; needs DATABASE_URL, and "sonde worker" elsewhere')
    .option(
      '--no-first-key',
      'make no organisation and no key at the first start: "sonde org create" and "sonde key create" do',
    )
    .option('--json', 'print one line of JSON (base_url, api_key, organisation_id) when ready', false)
    .addHelpText('after', examples('sonde serve --port 0 --json', 'sonde serve --host 0.0.0.0 --no-worker'))
    .action(async (options: { port: number; host: string; worker: boolean; firstKey: boolean; json: boolean }) =>
      finish(await deps.serve(options)),
    )

  const worker = new Command('worker')
    .description('run scans for a service on the same PostgreSQL (DATABASE_URL)')
    .option('--json', 'print one line of JSON (worker, storage) when ready', false)
    .addHelpText('after', examples('DATABASE_URL=postgres://… sonde worker'))
    .action(async (options: { json: boolean }) => finish(await deps.work(options)))
  return [demo, serve, worker]
}

/** What looks after the service, or into it. */
const lookingCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const { screen } = deps

  const migrate = new Command('migrate')
    .description('bring the database to the present version, or copy all of it to PostgreSQL')
    .option('--to <url>', 'postgres:// address of an empty database to copy everything to')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde migrate', 'sonde migrate --to postgres://sonde@db.example/sonde'))
    .action(async (options: { to?: string; json?: true }) => {
      const report = await deps.migrate(options.to ?? null)
      if (options.json) return screen.out(jsonText(report))
      screen.out(
        report.applied.length === 0 ? 'The database is up to date.\n' : `Applied ${report.applied.join(', ')}.\n`,
      )
      if (report.copied === null) return
      screen.out(
        table(
          ['TABLE', 'ROWS'],
          Object.entries(report.copied).map(([name, rows]) => [name, String(rows)]),
        ),
      )
    })

  const doctor = new Command('doctor')
    .description('check programs, folders, clock, database and storage, and say how to fix what is wrong')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde doctor', 'sonde doctor --json'))
    .action(async (options: { json?: true }) => {
      const checks = await deps.doctor()
      screen.out(options.json ? jsonText({ checks }) : checksText(screen, checks))
      end(checks.some((check) => check.state === 'bad') ? EXIT.failed : EXIT.clean)
    })

  const hosts = new Command('hosts')
    .description('show the static name table (SONDE_HOSTS) that the running service uses')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('SONDE_HOSTS="shop.test=127.0.0.9" sonde hosts'))
    .action(async (options: { json?: true }) => {
      const operator = await deps.operator()
      try {
        const list = await operator.call('hosts', {})
        const rows = list.map((entry) => [entry.name, entry.addresses.join(' ')])
        if (options.json) screen.out(jsonText(list))
        else screen.out(list.length === 0 ? 'SONDE_HOSTS is empty.\n' : table(['NAME', 'ADDRESSES'], rows))
      } finally {
        await operator.close()
      }
    })

  const judge = new Command('judge')
    .description("judge a stored run again with today's checks; touches neither the target nor the stored result")
    .argument('<id>', 'id of the run', matching(Uuid, 'It is the id of a run.'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde judge 0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'))
    .action(async (id: string, options: { json?: true }) => {
      const operator = await deps.operator()
      try {
        const again = await operator.call('judge', { run_id: id })
        if (options.json) return screen.out(jsonText(again))
        const rows = again.findings.map((finding) => [
          finding.severity,
          finding.check_id,
          finding.title,
          locationText(finding.location),
        ])
        screen.out(`${clean(again.domain)}  grade ${again.grade.grade}  ${countsText(screen, again.counts)}\n`)
        screen.out(table(['SEVERITY', 'CHECK', 'TITLE', 'WHERE'], rows))
      } finally {
        await operator.close()
      }
    })
  return [migrate, doctor, hosts, judge]
}
