/** `./run` alone: the service, the demo shop, one active run of it, and where everything lies. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findingsOf, follow } from '../cli/client.ts'
import type { CliDeps, DemoOptions } from '../cli/deps.ts'
import { findingsText } from '../cli/findings-text.ts'
import { summaryText } from '../cli/run-summary.ts'
import { counted, jsonText, type Screen } from '../cli/screen.ts'
import { createClient } from '../contract/client.ts'
import type { RunState } from '../contract/run.ts'
import { shellQuoted } from '../modules/evidence/pages.ts'
import { type ArtifactRecord, EVIDENCE_ARCHIVE, listArtifacts } from '../store/artifacts.ts'
import type { Config } from './config.ts'
import { raiseServiceWall } from './last-wall.ts'
import { createOperator } from './operator.ts'
import { stderrLogger } from './runtime.ts'
import { aborted } from './serve.ts'
import { firstOf, type Service, startService } from './service.ts'
import { type DemoShop, startDemoShop } from './testbed.ts'

export const demo = async (config: Config, options: DemoOptions, deps: CliDeps): Promise<number> => {
  const { screen, signal } = deps
  const shop = await startDemoShop()
  try {
    // A drawing and a log on the same terminal would tear each other up; what is wrong still shows.
    const quiet = config.logLevel === 'info' ? { ...config, logLevel: 'warn' as const } : config
    const service = await startSomewhere(withShop(quiet, shop), options.port)
    const lower = raiseServiceWall(service.runtime)
    try {
      if (!options.json) screen.out(`Sonde is at ${service.baseUrl}, the demo shop at http://${shop.domain}/\n\n`)
      const run = await scanShop(service, shop, options, deps)
      if (!options.once) {
        if (!options.json) screen.out(`Still serving at ${service.baseUrl}; ${entrance(service)}Ctrl-C stops.\n`)
        await aborted(signal)
      }
      return run.status === 'done' ? 0 : 2
    } finally {
      await service.stop()
      lower()
    }
  } finally {
    await shop.stop()
  }
}

/** The shop's name and address are opened, and nothing beside them. */
const withShop = (config: Config, shop: DemoShop): Config => ({
  ...config,
  hosts: { ...config.hosts, [shop.host]: [shop.address] },
  allowNetworks: [...config.allowNetworks, `${shop.address}/32`],
  allowTargetPorts: config.allowTargetPorts || shop.domain !== shop.host,
  // A server of this machine that listens at every address answers at the shop's as well.
  ports: shop.ports.join(','),
  // The shop is ours and on this machine: nobody has to be spared, and the person at the terminal waits.
  targetRequestsPerSecond: Math.max(config.targetRequestsPerSecond, SHOP_REQUESTS_PER_SECOND),
})

const SHOP_REQUESTS_PER_SECOND = 200

/** The usual port, or any when somebody has it. */
const startSomewhere = async (config: Config, port: number): Promise<Service> => {
  const options = { port, host: '127.0.0.1', worker: true }
  const logger = stderrLogger(config)
  try {
    return await startService(config, options, logger)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    return startService(config, { ...options, port: 0 }, logger)
  }
}

const scanShop = async (service: Service, shop: DemoShop, options: DemoOptions, deps: CliDeps): Promise<RunState> => {
  const { screen } = deps
  const operator = createOperator(service.runtime)
  const first = firstOf(service)
  const organisation = first.organisationId
  const domain = await operator.call('domain_add', {
    organisation,
    domain: shop.domain,
    context: 'shop',
    // It is ours, and made anew for each demo.
    environment: 'test',
    verified: true,
  })
  const apiKey = first.apiKey ?? (await temporaryKey(service))
  const client = createClient({ baseUrl: service.baseUrl, apiKey })
  const started = await client.startScan({ body: { domain_id: domain.id, active: true } })
  const run = await follow(deps, client, started.id, options.json)
  const findings = await findingsOf(client, run.id)
  const files = (await listArtifacts(service.runtime.db, run.id)).filter((file) => !file.deleted)
  const places = files.map((file) => ({ ...fileOf(file), path: placeOf(service, file) }))
  if (options.json) {
    screen.out(jsonText({ base_url: service.baseUrl, domain: shop.domain, run, findings, artifacts: places }))
    return run
  }
  const { items: coverage, reach = null } = await client.readCoverage({ params: { id: run.id } })
  const laidOut = await layOut(service, places, findingsText(plain(screen), findings, { long: true }))
  const next = [[`./run findings ${run.id} --long${named(service, deps)}`, 'all of them']] as const
  const whole = `./run status ${run.id}${named(service, deps)}`
  screen.out(`\n${summaryText(screen, { run, findings, coverage, reach, files: laidOut, whole, next })}`)
  return run
}

/** What a command needs besides to find this service: nothing where it lies in its usual folder. */
const named = ({ runtime }: Service, { folderNamed }: CliDeps): string => {
  const { dataDir } = runtime.config
  if (!folderNamed()) return ''
  return ` --data ${/^[\w./-]+$/.test(dataDir) ? dataDir : shellQuoted(dataDir)}`
}

/** As in a file: no colour, lines of a fixed length. */
const plain = (screen: Screen): Screen => ({ ...screen, colour: false, columns: () => 100 })

/**
 * One folder with the last run's files under their own names: links to where they are kept, so that nothing outlives its
 * time, and the whole list of findings as text. Null where the files are in a bucket.
 */
const layOut = async (
  { runtime }: Service,
  places: readonly PlacedFile[],
  list: string,
): Promise<{ folder: string; names: readonly string[] } | null> => {
  if (runtime.storage.kind !== 'fs') return null
  const folder = join(runtime.config.dataDir, 'demo')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, LIST), list, { mode: 0o600 })
  const evidence = places.filter(({ kind }) => kind === 'evidence')
  const shown = places.filter(({ kind, filename }) => kind !== 'evidence' || filename === EVIDENCE_ARCHIVE)
  for (const { filename, path } of shown) await symlink(path, join(folder, filename))
  const named = shown.flatMap(({ kind, filename, page_count }) => {
    if (kind === 'report_pdf') return [`${filename} (${counted(page_count ?? 0, 'page')})`]
    return kind === 'report_html'
      ? [filename]
      : kind === 'evidence'
        ? [`${filename} (${counted(evidence.length - 1, 'file')})`]
        : []
  })
  const reports = named.filter((name) => name.startsWith('report')).toReversed()
  const names = [...reports, LIST, ...named.filter((name) => !reports.includes(name))]
  return { folder, names }
}

const LIST = 'findings.txt'

/** How to get in, where the first key still opens. */
const entrance = (service: Service): string =>
  firstOf(service).apiKey === null
    ? ''
    : `sign in there with the key in ${join(service.runtime.config.dataDir, 'first-key.json')}. `

/** The first key was revoked: the demo makes one that ends by itself. */
const temporaryKey = async (service: Service): Promise<string> => {
  const { secret } = await createOperator(service.runtime).call('key_create', {
    organisation: firstOf(service).organisationId,
    name: 'demo',
    scopes: ['scans:read', 'scans:write'],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  return secret
}

const fileOf = ({ id, kind, filename, size_bytes, sha256, page_count }: ArtifactRecord) => ({
  ...{ id, kind, filename, size_bytes, sha256, page_count },
})

type PlacedFile = ReturnType<typeof fileOf> & { readonly path: string }

const placeOf = ({ runtime }: Service, file: ArtifactRecord): string =>
  runtime.storage.kind === 'fs'
    ? join(runtime.config.dataDir, 'files', file.objectKey)
    : `${runtime.config.storageUrl?.split('?')[0]}/${file.objectKey}`
