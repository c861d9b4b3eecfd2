/** The typed client with the person's settings, and the steps that several commands share. */

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secured } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { ArtifactKind } from '../contract/artifact.ts'
import { ApiError, type Client, createClient, everyItem } from '../contract/client.ts'
import type { DomainFinding } from '../contract/domain-finding.ts'
import { watchScan } from '../contract/event-stream.ts'
import type { Finding } from '../contract/finding.ts'
import type { Language } from '../contract/language.ts'
import { pastedName } from '../contract/pasted-name.ts'
import type { RunState } from '../contract/run.ts'
import type { CliDeps } from './deps.ts'
import { draw } from './drawing.ts'
import { UsageError } from './exit.ts'
import { assertWritable } from './own-file.ts'
import { clean } from './screen.ts'

/** SONDE_URL and SONDE_API_KEY; without either, or with `--data`, the service of this machine's data folder. `timeout`: milliseconds for a call. */
export const connect = async (deps: CliDeps, timeout?: number): Promise<Client> => {
  const more = timeout === undefined ? {} : { timeout }
  const { SONDE_URL: url, SONDE_API_KEY: apiKey } = deps.folderNamed() ? {} : deps.env
  if (url && !/^https?:\/\/./i.test(url))
    throw new UsageError(`SONDE_URL is no address: "${clean(url)}" is not as https://sonde.example.com`)
  if (url && apiKey) return createClient({ baseUrl: url, apiKey, ...more })
  if (url || apiKey) {
    throw new UsageError(`${url ? 'SONDE_API_KEY' : 'SONDE_URL'} is not set; it goes together with the other one`)
  }
  if (deps.remote) throw new UsageError('Set SONDE_URL and SONDE_API_KEY: which service, and a key of it')
  const local = await deps.localService()
  if (local === null) {
    throw new UsageError(
      deps.folderNamed()
        ? 'No service runs on this data folder: start one with "./run serve --data FOLDER"'
        : 'Set SONDE_URL and SONDE_API_KEY, or start a service here with "./run serve"',
    )
  }
  return createClient({ baseUrl: local.url, apiKey: local.apiKey, ...more })
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Refusals to register after which it may be there already: a name without a public suffix is one that an agent asks for. */
const MAYBE_THERE = ['domain_exists', 'api_key_scope_insufficient', 'validation_failed']

/** The id of a domain given by its name, an address on it or its id; a name that is not registered yet is registered. */
export const domainIdOf = async (client: Client, text: string): Promise<{ id: string; registered: boolean }> => {
  const name = pastedName(text)
  if (UUID.test(name)) return { id: name, registered: false }
  try {
    return { id: (await client.createDomain({ body: { domain: name } })).id, registered: true }
  } catch (error) {
    // Registering is also what turns the name into the form under which it is stored.
    if (!(error instanceof ApiError)) throw error
    if (!MAYBE_THERE.includes(error.problem.code)) throw error
    const id = await findDomain(client, name)
    if (id !== null) return { id, registered: false }
    throw error
  }
}

/** The id of a domain given by its name or id. @throws UsageError where it is not registered */
export const knownDomainId = async (client: Client, text: string): Promise<string> => {
  const name = pastedName(text)
  const id = UUID.test(name) ? name : await findDomain(client, name)
  if (id === null) throw new UsageError(`${name} is not registered`)
  return id
}

const findDomain = async (client: Client, name: string): Promise<string | null> => {
  const domain = asciiName(name)
  const { items } = await client.listDomains({ query: { domain } })
  return items.find((one) => one.domain === domain)?.id ?? null
}

/** Follows a run to its end, drawing; the last state. */
export const follow = async (deps: CliDeps, client: Client, id: string, quiet: boolean): Promise<RunState> => {
  const drawing = quiet ? null : draw(deps.screen)
  try {
    for await (const event of watchScan(client, id, { signal: deps.signal })) {
      if (event.type === 'progress') drawing?.show(event.data)
      if (event.type === 'done') {
        const { phase, phase_detail, progress, counts, status } = event.data
        drawing?.show({ phase, phase_detail, progress, counts, status })
        return event.data
      }
    }
  } finally {
    drawing?.end()
  }
  return client.readScan({ params: { id } })
}

/** Milliseconds between two looks, as slow as the interface asks for, and for how long it is looked. */
const LOOK_EVERY = 5_000
const LOOK_FOR = 10 * 60_000

/** Returns once the report of a run that is done is made or has failed; a run does not wait for it for ever. */
export const reportSettled = async (client: Client, ended: RunState, signal: AbortSignal): Promise<void> => {
  const deadline = Date.now() + LOOK_FOR
  let { state } = ended.report
  while (state === 'pending') {
    if (Date.now() > deadline) throw new Error('The report is still being made; fetch it later with "sonde download"')
    await delay(LOOK_EVERY, undefined, { signal })
    state = (await client.readScan({ params: { id: ended.id } })).report.state
  }
}

export const findingsOf = async (client: Client, id: string, language: Language = 'en'): Promise<Finding[]> => {
  const findings: Finding[] = []
  const pages = everyItem((cursor) => client.listFindings({ params: { id }, query: { cursor, limit: 100, language } }))
  for await (const finding of pages) findings.push(finding)
  return findings
}

/** Findings over runs and domains, those of every page. */
export const problemsOf = async (
  client: Client,
  query: NonNullable<Parameters<Client['listDomainFindings']>[0]>['query'],
): Promise<DomainFinding[]> => {
  const findings: DomainFinding[] = []
  const pages = everyItem((cursor) => client.listDomainFindings({ query: { ...query, cursor, limit: 100 } }))
  for await (const finding of pages) findings.push(finding)
  return findings
}

/** Fetches a file through its signed address, checks it against its checksum, and only then gives it its name. */
export const download = async (
  client: Client,
  id: string,
  kind: ArtifactKind,
  options: {
    readonly to: string | null
    readonly artifactId: string | null
    readonly version: number | null
    readonly signal: AbortSignal
  },
): Promise<{ readonly path: string; readonly size: number; readonly sha256: string }> => {
  const query = {
    ...(options.artifactId === null ? {} : { artifact_id: options.artifactId }),
    ...(options.version === null ? {} : { version: options.version }),
  }
  if (options.to !== null) await assertWritable([options.to])
  const signed = await client.signArtifactUrl({ params: { id, kind }, query })
  const { items } = await client.listArtifacts({ params: { id } })
  const known = items.find((item) =>
    options.artifactId === null
      ? item.kind === kind && item.filename === signed.filename && item.version === signed.version
      : item.id === options.artifactId,
  )
  // A file name of ours; still nothing from outside may choose a folder.
  const path = options.to ?? (signed.filename.split(/[/\\]/).at(-1) || kind)
  const response = await open(signed.url, options.signal)
  const { statusCode = 0 } = response
  if (statusCode !== 200) {
    response.destroy()
    throw new Error(`The file's address answered ${statusCode}`)
  }
  const part = `${path}.part`
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(response, measure, createWriteStream(part))
    const sha256 = hash.digest('hex')
    if (known !== undefined && known.sha256 !== sha256) throw new Error(`${path} arrived damaged: its checksum differs`)
    await rename(part, path)
    return { path, size, sha256 }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** By Node's own client: `fetch` ends the process where a server closes while the body waits for the disk (nodejs/undici#5360). */
const open = (url: string, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secured : plain
    const sent = send(url, { signal }, (answer) => {
      answer.on('error', () => undefined)
      resolve(answer)
    })
    sent.once('error', (error) => reject(signal.aborted ? signal.reason : error))
    sent.end()
  })

const asciiName = (name: string): string => {
  const [host = '', port] = name.toLowerCase().split(':')
  const ascii = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host
  return `${ascii.replace(/\.$/, '')}${port === undefined ? '' : `:${port}`}`
}
