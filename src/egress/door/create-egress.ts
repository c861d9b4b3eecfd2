/** Puts the door together for one run, and cuts one handle from it for each module. */
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { AuditEntry } from '../../contract/event.ts'
import { createExclusion } from '../../contract/exclude.ts'
import { auditError, createAudit } from '../audit/audit.ts'
import { isOwn, openBrowserProxy } from '../browser/browser-proxy.ts'
import type { ProxyAuthority } from '../browser/proxy-authority.ts'
import { createProxyMemories } from '../browser/proxy-memory.ts'
import { createAskAuthorities } from '../dns/authorities.ts'
import { createDnsClient, parseServer, systemServers } from '../dns/dns.ts'
import { canonicalHost, createHostTable } from '../dns/hosts.ts'
import { createResolver } from '../dns/resolve.ts'
import { createConnections } from '../http/connections.ts'
import type { Judge } from '../http/http.ts'
import { createIdentity } from '../http/traffic-identity.ts'
import { createLanes } from '../pace/lanes.ts'
import { createRedactor, type Redactor } from '../redaction/redact.ts'
import { createRoutes } from '../sockets/routes.ts'
import { handshake } from '../sockets/tls.ts'
import { createVault } from './credentials.ts'
import { startDeadline } from './deadline.ts'
import { type DnsAnswer, type DnsQuestion, type Egress, EgressError, type HttpExchange } from './egress.ts'
import { createGuard } from './guard.ts'
import { createModuleEgress } from './module-egress.ts'
import { createReach } from './reach.ts'
import type { EgressSettings } from './settings.ts'

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
  /**
   * Names whose DNSSEC a validating resolver refuses are resolved all the same, so that a scan can say so. Never with
   * credentials, and not for what proves or delivers something: such an address may be anybody's. Default false.
   */
  readonly unvalidated?: boolean
  /** Told of each answer to an HTTP request, as the target sent it, whichever module asked. Never throws. */
  readonly answered?: (exchange: HttpExchange, module: string) => void
  /** Entries come redacted. */
  readonly audit: (entry: AuditEntry) => void
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
}

export interface ModuleLimits {
  /** How many requests, connections, questions and datagrams the module may send; then `budget` is thrown. */
  readonly requests: number
  readonly signal: AbortSignal
  /** Why an HTTP request to the target must not leave, the browser's too; null for modules that ask as visitors do. Default null. */
  readonly judge?: Judge | null
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
  const routes = createRoutes()
  const dns = createDnsClient(routes)
  const lanes = createLanes({ perSecond: settings.requestsPerSecond, concurrency: settings.concurrency })
  const askResolvers = async (question: DnsQuestion): Promise<DnsAnswer> => {
    const deadline = startDeadline(RESOLVE_TIMEOUT, signal, `resolving ${question.name}`)
    try {
      return await dns.askAny(question, servers, deadline.signal)
    } finally {
      deadline.end()
    }
  }
  const askServer = async (question: DnsQuestion, address: string): Promise<DnsAnswer> => {
    const verdict = guard.judge(address)
    if (!verdict.allowed) {
      throw new EgressError('refused_by_guard', `DNS server ${address} may not be asked: ${verdict.reason}`)
    }
    const place = await lanes.connection(verdict.address, 53, 'egress', signal)
    const deadline = startDeadline(question.timeout ?? RESOLVE_TIMEOUT, signal, `DNS server ${address}`)
    const asked = { event: 'dns' as const, address: verdict.address }
    const detail = `${question.name} ${question.type}`
    try {
      const answer = await dns.ask(question, { address: verdict.address, port: 53 }, deadline.signal)
      audit({ ...asked, duration_ms: deadline.elapsed(), detail: `${detail} ${answer.rcode}` })
      return answer
    } catch (error) {
      audit({ ...asked, duration_ms: deadline.elapsed(), detail, error: auditError(error) })
      throw error
    } finally {
      deadline.end()
      place.connected()
      place.closed()
    }
  }
  const askAuthorities = createAskAuthorities({ resolver: askResolvers, server: askServer })
  const hasCredentials = options.credentials.cookie !== null || options.credentials.header !== null
  const resolve = createResolver({
    hosts,
    ownServers,
    never: settings.outOfBandDomain,
    query: (name, type) => askResolvers({ name, type }),
    ...(options.unvalidated && !hasCredentials
      ? {
          queryUnvalidated: async (name, type) => {
            const question = { name, type, checkingDisabled: true }
            const answer = await askResolvers(question)
            return answer.rcode === 'SERVFAIL' ? askAuthorities(question) : answer
          },
        }
      : {}),
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
    routes,
    refused: (host, address, reason) => audit({ event: 'refused', address, detail: host, error: reason }),
  })
  const target = { host: canonicalHost(options.target.host), port: options.target.port }
  const exclusion = createExclusion(options.exclude ?? [])
  const excludes = (url: URL, written?: string): boolean =>
    isOwn(canonicalHost(url.hostname), target.host) &&
    (exclusion(url.href) || (written !== undefined && exclusion(`${url.origin}${written.replace(/^(?!\/)/, '/')}`)))
  const judgeOfOwn = (judge: Judge | null): Judge | undefined =>
    judge === null
      ? undefined
      : (sent) => (isOwn(canonicalHost(new URL(sent.url).hostname), target.host) ? judge(sent) : null)
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
      secured.socket.destroy()
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
  const memories = createProxyMemories()
  const { trustAnchors } = settings
  const shared = {
    resolve,
    dns,
    askAuthorities,
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
    ...(options.answered ? { answered: options.answered } : {}),
  }

  return {
    redact,
    forModule: (moduleId, limits) => {
      const module = createModuleEgress(
        {
          ...shared,
          openBrowserProxy,
          memories,
          authority: () => {
            // Few runs open a browser, and the library behind it is large.
            authority ??= import('../browser/proxy-authority.ts').then(({ createProxyAuthority }) =>
              createProxyAuthority(),
            )
            return authority
          },
          audit: createAudit(moduleId, redact, options.audit),
        },
        moduleId,
        limits.requests,
        AbortSignal.any([signal, limits.signal]),
        judgeOfOwn(limits.judge ?? null),
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
