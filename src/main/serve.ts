/** `sonde serve`: the service until it is told to stop. */
import type { CliDeps, ServeOptions } from '../cli/deps.ts'
import { OperatorError } from '../contract/operator.ts'
import type { Config } from './config.ts'
import { firstKeyPath } from './first-key.ts'
import { raiseServiceWall } from './last-wall.ts'
import { type Service, startService } from './service.ts'

export const serve = async (
  config: Config,
  options: ServeOptions,
  { env, screen, signal }: CliDeps,
): Promise<number> => {
  const service = await startService(config, options, undefined, signal).catch((error: unknown) => {
    // Told to stop while it still waited for the database.
    if (signal.aborted) return null
    throw startFailure(error, options)
  })
  if (service === null) return 0
  const lower = raiseServiceWall(service.runtime)
  try {
    if (config.unknown.length > 0) screen.err(`sonde: ${config.unknown.join(', ')} means nothing; see "sonde doctor"\n`)
    if (options.json) screen.out(`${JSON.stringify(readyLine(service))}\n`)
    else screen.out(greeting(service, options, isJournal(env)))
    await aborted(signal)
  } finally {
    await service.stop()
    lower()
  }
  return 0
}

/** Where it cannot listen, what to do about it; everything else says so itself. */
const startFailure = (error: unknown, { host, port }: ServeOptions): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    return new OperatorError(
      `Port ${port} of ${host} is in use by another program: take another with --port, or any free one with --port 0.`,
      { cause: error },
    )
  if (code === 'EACCES')
    return new OperatorError(`This user may not listen on port ${port}: take one from 1024 on with --port.`, {
      cause: error,
    })
  return error
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

const readyLine = ({ baseUrl, first }: Service) => ({
  base_url: baseUrl,
  api_key: first?.apiKey ?? null,
  organisation_id: first?.organisationId ?? null,
})

/** systemd says so where it keeps what is printed (systemd.exec(5)): a journal has many readers. */
const isJournal = (env: CliDeps['env']): boolean => env.JOURNAL_STREAM !== undefined

const greeting = ({ baseUrl, first, runtime }: Service, options: ServeOptions, isKept: boolean): string => {
  const { db, config } = runtime
  const key =
    first === null || first.apiKey === null
      ? ''
      : first.made && !isKept
        ? `key      ${first.apiKey} (of the first organisation; also in first-key.json, and not shown again)\n`
        : `key      in ${firstKeyPath(config.dataDir)}\n`
  const worker = options.worker ? 'in this process' : 'none here: start "sonde worker" on the same DATABASE_URL'
  return `Sonde is at ${baseUrl}, its documentation at ${baseUrl}/docs
data     ${config.dataDir}
${databaseText(db.kind)}${key}worker   ${worker}
`
}

const databaseText = (kind: 'embedded' | 'postgres'): string =>
  kind === 'postgres'
    ? 'database PostgreSQL\n'
    : `database embedded: for one machine, safe against crashes of the process, not against power loss;
         "sonde migrate --to postgres://…" moves everything to PostgreSQL
`
