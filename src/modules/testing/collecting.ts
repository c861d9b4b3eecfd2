/** A real site on loopback and a real door to it, for tests of `collect`. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { EvidenceFile } from '../../contract/evidence.ts'
import { createEgress } from '../../egress/door/create-egress.ts'
import type { Egress } from '../../egress/door/egress.ts'
import type { OutOfBand } from '../../egress/oob/out-of-band.ts'
import { settingsAmong } from '../../egress/redaction/secrets-of.ts'
import type { ModuleBrowser } from '../browser.ts'
import { ModuleEnding } from '../endings.ts'
import { faultIdOf } from '../faults.ts'
import type { CollectContext, ModuleSettings } from '../module.ts'
import { createRunScope, type RunScope } from '../run-scope.ts'
import { CASE_TIME, caseContext } from './judge-cases.ts'

export interface CaseServers {
  /** Loopback address of this process alone; http on port 80, https on port 443. */
  readonly address: string
  readonly close: () => Promise<void>
}

/** Each process has an address of its own, so that ports 80 and 443 are free whoever else tests. Needs root. */
export const caseAddress = (last: number): string =>
  `127.${100 + ((process.pid >> 8) % 100)}.${process.pid & 255}.${last}`

export const serveCase = async (
  last: number,
  listeners: { readonly http?: RequestListener; readonly https?: RequestListener },
): Promise<CaseServers> => {
  const address = caseAddress(last)
  const servers: Server[] = []
  const listen = async (server: Server, port: number): Promise<void> => {
    server.listen(port, address)
    await once(server, 'listening')
    servers.push(server)
  }
  if (listeners.http) await listen(createHttpServer(listeners.http), 80)
  if (listeners.https) await listen(createHttpsServer(selfSigned(), listeners.https), 443)
  return {
    address,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

let pair: { readonly key: string; readonly cert: string } | null = null

/** For shop.test and www.shop.test; no client trusts it. */
const selfSigned = (): { readonly key: string; readonly cert: string } => {
  if (pair) return pair
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
      ...['-subj', '/CN=shop.test', '-addext', 'subjectAltName=DNS:shop.test,DNS:www.shop.test', '-keyout', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 },
  )
  const part = (name: string): string => {
    const end = `-----END ${name}-----`
    return pem.slice(pem.indexOf(`-----BEGIN ${name}-----`), pem.indexOf(end) + end.length)
  }
  pair = { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
  return pair
}

const noBrowser = async (): Promise<never> => {
  throw new ModuleEnding('skipped', 'no browser in this test')
}

export interface CaseCollect {
  readonly ctx: CollectContext
  readonly evidence: EvidenceFile[]
  /** Where the module's own walls held a fault. */
  readonly faults: { readonly where: string; readonly error: unknown }[]
  readonly close: () => Promise<void>
}

/** A context whose egress knows shop.test, www.shop.test and other.test, all at the given address, and nothing else. */
export const collectContext = (
  address: string,
  change: {
    readonly module?: string
    readonly host?: string
    readonly port?: number | null
    readonly cookie?: string | null
    /** `Name: value`, in place of a cookie or beside it. */
    readonly header?: string
    readonly exclude?: readonly string[]
    readonly allowNetworks?: readonly string[]
    readonly settings?: ModuleSettings
    /** Requests a second. Default 1,000. */
    readonly pace?: number
    /** Requests the module may send. Default 200. */
    readonly requests?: number
    /** The engine's, for tests that need a real one; without it there is none. */
    readonly launchBrowser?: (
      egress: Egress,
      signal: AbortSignal,
      log: (line: string) => void,
    ) => Promise<ModuleBrowser>
    readonly knowledge?: string
    readonly outOfBand?: OutOfBand
    /** In place of shop.test and its neighbours. */
    readonly hosts?: Readonly<Record<string, readonly string[]>>
    readonly resolvers?: readonly string[]
    /** That of other modules of the same run; without it the module is alone. */
    readonly scope?: RunScope
    readonly options?: Partial<CollectContext['options']>
    /** Ends the module early. */
    readonly signal?: AbortSignal
  } = {},
): CaseCollect => {
  const { target, options } = caseContext()
  const to = { ...target, host: change.host ?? 'shop.test', port: change.port ?? null }
  const signal = change.signal ?? new AbortController().signal
  const egress = createEgress({
    settings: {
      hosts: change.hosts ?? { 'shop.test': [address], 'www.shop.test': [address], 'other.test': [address] },
      allowNetworks: change.allowNetworks ?? ['127.0.0.0/8'],
      resolvers: change.resolvers ?? [`${address}:9`],
      requestsPerSecond: change.pace ?? 1_000,
      concurrency: 10,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    runId: '00000000-0000-4000-8000-00000000000a',
    version: '0.0.0',
    target: to,
    exclude: change.exclude ?? [],
    credentials: { cookie: change.cookie ?? null, header: change.header ?? null },
    audit: () => undefined,
    signal,
  })
  const module = egress.forModule(change.module ?? 'site', { requests: change.requests ?? 200, signal })
  let browser: Promise<ModuleBrowser> | null = null
  const evidence: EvidenceFile[] = []
  const faults: CaseCollect['faults'] = []
  return {
    evidence,
    faults,
    close: async () => {
      await (await browser?.catch(() => null))?.close()
      await egress.close()
    },
    ctx: {
      target: to,
      options: { ...options, ...change.options },
      ...(change.settings ? { settings: change.settings } : {}),
      egress: module,
      ...(change.outOfBand ? { outOfBand: change.outOfBand } : {}),
      browser: () => {
        browser ??= (change.launchBrowser ?? noBrowser)(module, signal, () => undefined)
        return browser
      },
      signal,
      scope: change.scope ?? createRunScope(),
      progress: () => undefined,
      evidence: (file) => {
        evidence.push(file)
        return { id: `evidence-${evidence.length}`, filename: file.filename }
      },
      fault: (error, where) => {
        faults.push({ where, error })
        return faultIdOf(change.module ?? 'site', error)
      },
      hasCredentials: (change.cookie ?? change.header ?? null) !== null,
      ownCookies: (change.cookie ?? '').split('; ').map((pair) => pair.split('=')[0] ?? ''),
      ...(change.header ? { ownHeaders: [change.header.split(':')[0]?.toLowerCase() ?? ''] } : {}),
      ownSettings: settingsAmong({ cookie: change.cookie ?? null }),
      now: CASE_TIME,
      timeFactor: 1,
      secondsLeft: () => 0,
      secondsToEnd: () => Number.POSITIVE_INFINITY,
      ...(change.knowledge === undefined ? {} : { knowledge: change.knowledge }),
    },
  }
}
