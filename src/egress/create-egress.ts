/** Puts the door together for one run, and cuts one handle from it for each module. */
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { AuditEntry } from '../contract/event.ts'
import { createExclusion } from '../contract/exclude.ts'
import { createAudit } from './audit.ts'
import { isOwn, openBrowserProxy } from './browser-proxy.ts'
import { createConnections } from './connections.ts'
import { createVault } from './credentials.ts'
import { startDeadline } from './deadline.ts'
import { parseServer, queryAny, systemServers } from './dns.ts'
import { type Egress, EgressError } from './egress.ts'
import { createGuard } from './guard.ts'
import { canonicalHost, createHostTable } from './hosts.ts'
import { createLanes } from './lanes.ts'
import { createModuleEgress } from './module-egress.ts'
import type { ProxyAuthority } from './proxy-authority.ts'
import { createReach } from './reach.ts'
import { createRedactor, type Redactor } from './redact.ts'
import { createResolver } from './resolve.ts'
import type { EgressSettings } from './settings.ts'
import { handshake } from './tls.ts'
import { createIdentity } from './traffic-identity.ts'

export interface EgressOptions {
  readonly settings: EgressSettings
  readonly runId: string
  /** Of the product, shown in User-Agent. */
  readonly version: string
  /** Credentials go here and nowhere else. Port null means 80 and 443. */
  readonly target: { readonly host: string; readonly port: number | null }
  /** Patterns of addresses of the target that nobody asks for. */
  readonly exclude?: readonly string[]
  readonly credentials: { readonly cookie: string | null; readonly header: string | null }
  /** Terms of the product in lower case: no credential makes them secret. */
  readonly vocabulary?: ReadonlySet<string>
  /** Entries come redacted. */
  readonly audit: (entry: AuditEntry) => void
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
}

export interface ModuleLimits {
  /** How many requests, connections, questions and datagrams the module may send; then `budget` is thrown. */
  readonly requests: number
  readonly signal: AbortSignal
}

export interface ModuleEgress extends Egress {
  /** Spent of the budget so far. */
  readonly requests: () => number
  /** Ends the module's sockets and proxies; what is asked afterwards fails with `aborted`. */
  readonly close: () => Promise<void>
}

export interface RunEgress {
  readonly forModule: (moduleId: string, limits: ModuleLimits) => ModuleEgress
  /** For what leaves the scan towards people. What egress hands to a module is as the target sent it. */
  readonly redact: Redactor
  readonly close: () => Promise<void>
}

/** @throws RangeError when a setting cannot be read */
export const createEgress = (options: EgressOptions): RunEgress => {
  const { settings } = options
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  setMaxListeners(0, signal)
  const redact = createRedactor(options.credentials, options.vocabulary)
  const audit = createAudit('egress', redact, options.audit)
  const guard = createGuard(settings)
  const hosts = createHostTable(settings.hosts)
  const servers = settings.resolvers.length > 0 ? settings.resolvers.map(parseServer) : systemServers()
  const ownServers = settings.resolvers.length > 0
  const resolve = createResolver({
    hosts,
    ownServers,
    never: settings.outOfBandDomain,
    query: async (name, type) => {
      const deadline = startDeadline(RESOLVE_TIMEOUT, signal, `resolving ${name}`)
      try {
        return await queryAny({ name, type }, servers, deadline.signal)
      } finally {
        deadline.end()
      }
    },
    resolved: (name, addresses, error) =>
      audit({
        event: 'resolve',
        detail: addresses.length > 0 ? `${name}: ${addresses.join(', ')}` : name,
        ...(error instanceof Error ? { error: error.message } : {}),
      }),
  })
  const reach = createReach({
    resolve,
    guard,
    refused: (host, address, reason) => audit({ event: 'refused', address, detail: host, error: reason }),
  })
  const target = { host: canonicalHost(options.target.host), port: options.target.port }
  const exclusion = createExclusion(options.exclude ?? [])
  const excludes = (url: URL, written?: string): boolean =>
    isOwn(canonicalHost(url.hostname), target.host) &&
    (exclusion(url.href) || (written !== undefined && exclusion(`${url.origin}${written.replace(/^(?!\/)/, '/')}`)))
  const lanes = createLanes({ perSecond: settings.requestsPerSecond, concurrency: settings.concurrency })
  const connections = createConnections(reach)
  const identity = createIdentity({ ...options, ...settings })
  const httpsAnswers = async () => {
    const port = target.port ?? 443
    const deadline = startDeadline(PROBE_TIMEOUT, signal, `https of ${target.host}`)
    let answers = false
    try {
      const { socket, address } = await reach.open(target.host, port, {
        signal: deadline.signal,
        timeout: PROBE_TIMEOUT,
        persist: true,
      })
      const secured = await handshake(socket as Socket, { host: target.host }, deadline.signal)
      secured.socket.on('error', () => undefined).destroy()
      answers = true
      audit({ event: 'tls', address, port, duration_ms: deadline.elapsed(), detail: 'does the host answer https' })
    } catch (error) {
      if (signal.aborted || !(error instanceof EgressError)) throw error
      audit({ event: 'tls', port, duration_ms: deadline.elapsed(), error: error.message })
    } finally {
      deadline.end()
    }
    return answers
  }
  const vault = createVault({ credentials: options.credentials, target, httpsAnswers })
  let authority: Promise<ProxyAuthority> | null = null
  const modules = new Set<ModuleEgress>()
  const { trustAnchors } = settings
  const shared = {
    resolve,
    reach,
    guard,
    hosts,
    servers,
    ownServers,
    trustAnchors,
    lanes,
    connections,
    vault,
    identity,
    target,
    excludes,
  }

  return {
    redact,
    forModule: (moduleId, limits) => {
      const module = createModuleEgress(
        {
          ...shared,
          openBrowserProxy,
          authority: () => {
            // Few runs open a browser, and the library behind it is large.
            authority ??= import('./proxy-authority.ts').then(({ createProxyAuthority }) => createProxyAuthority())
            return authority
          },
          audit: createAudit(moduleId, redact, options.audit),
        },
        moduleId,
        limits.requests,
        AbortSignal.any([signal, limits.signal]),
      )
      modules.add(module)
      return module
    },
    close: async () => {
      ended.abort(new EgressError('aborted', 'the run has ended'))
      connections.close()
      await Promise.all([...modules].map((module) => module.close()))
    },
  }
}

const RESOLVE_TIMEOUT = 10_000
const PROBE_TIMEOUT = 5_000
