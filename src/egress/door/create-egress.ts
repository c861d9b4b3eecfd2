/** Puts the door together for one run, and cuts one handle from it for each module. */
import { setMaxListeners } from 'node:events'
import type { AuditEntry } from '../../contract/event.ts'
import { createExclusion } from '../../contract/exclude.ts'
import { createAudit } from '../audit/audit.ts'
import { isOwn, openBrowserProxy } from '../browser/browser-proxy.ts'
import type { ProxyAuthority } from '../browser/proxy-authority.ts'
import { createProxyMemories } from '../browser/proxy-memory.ts'
import { type AskAuthorities, createAskAuthorities } from '../dns/authorities.ts'
import { createDnsClient, parseServer, systemServers } from '../dns/dns.ts'
import { canonicalHost, createHostTable, createResolver } from '../dns/resolve.ts'
import { createConnections } from '../http/connections.ts'
import type { HttpParts, Judge } from '../http/http.ts'
import { createIdentity } from '../http/traffic-identity.ts'
import { createLanes } from '../pace/lanes.ts'
import type { LeaseSlice } from '../pace/shares.ts'
import { createRedactor, type Redactor } from '../redaction/redact.ts'
import { type RunCredentials, secretsAmong } from '../redaction/secrets-of.ts'
import { createRoutes } from '../sockets/tcp.ts'
import { createBesides } from './besides.ts'
import { type Credentials, createVault, hasCredentials, type Vault } from './credentials.ts'
import { createDialer } from './dialer.ts'
import { type DnsAnswer, type DnsQuestion, type Egress, EgressError, type HttpExchange } from './egress.ts'
import { createGuard } from './guard.ts'
import { createLedAlone } from './led-alone.ts'
import { createModuleEgress } from './module-egress.ts'
import { answersHttps, askResolvers, askServer, type QuestionParts } from './own-questions.ts'
import { createPageTokens } from './page-tokens.ts'
import type { SessionGate } from './session-gate.ts'
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
  /** Without cookie and header where a sign-in will bring them; `typed`: what that is done with. */
  readonly credentials: RunCredentials & { readonly signIn?: object }
  /** Terms of the product in lower case: no credential makes them secret. */
  readonly vocabulary?: ReadonlySet<string>
  /**
   * Names whose DNSSEC a validating resolver refuses are resolved all the same, so that a scan can say so. Never with
   * credentials, and not for what proves or delivers something: such an address may be anybody's. Default false.
   */
  readonly unvalidated?: boolean
  /**
   * Told of each answer to an HTTP request, as the target sent it, whichever module asked; of those to a sign-in the cookies alone, with other
   * values. Never throws.
   */
  readonly answered?: (exchange: HttpExchange, module: string, signsIn: boolean) => void
  /** Leases parts of the paces of addresses that other runs may be on; absent: the run is alone with them. */
  readonly lease?: LeaseSlice
  /** Nothing leaves any more once it has aborted: what is asked fails with its reason, an EgressError. */
  readonly silence?: AbortSignal
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
  /** It signs in: the session is what it brings about, not what it is sent with. Default false. */
  readonly signsIn?: boolean
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
  /** From now on requests carry this session, and people are not told of it. */
  readonly become: (credentials: Credentials & Pick<RunCredentials, 'kept'>, isPassing?: boolean) => void
  /** Watches over the session from now on. */
  readonly watch: (gate: SessionGate) => void
  /** Secret, though no request carries it yet. */
  readonly hide: (credentials: Credentials) => void
  /** Another identity of the run, as whom requests are sent that name it. */
  readonly other: (name: string, credentials: Credentials) => Pick<RunEgress, 'become' | 'watch'>
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
  const routes = createRoutes()
  const dns = createDnsClient(routes)
  const { requestsPerSecond: perSecond, concurrency, trustAnchors } = settings
  const addressOf = (host: string, asked: AbortSignal): Promise<string> => dialer.likely(host, asked)
  const { lease, silence } = options
  const lanes = createLanes({ perSecond, concurrency, addressOf, lease, silence })
  const parts: QuestionParts = { dns, guard, lanes, audit, signal }
  const names = namesOf(options, parts)
  const dialer = createDialer({
    resolve: names.resolve,
    guard,
    routes,
    refused: (host, address, reason) => audit({ event: 'refused', address, detail: host, error: reason }),
  })
  const target = { host: canonicalHost(options.target.host), port: options.target.port }
  const excludes = excludesOf(options.exclude ?? [], target.host)
  const connections = createConnections(dialer, concurrency)
  const identity = createIdentity({ ...options, ...settings })
  const vaultOf = (credentials: Credentials): Vault =>
    createVault({ credentials, target, httpsAnswers: () => answersHttps(parts, dialer, target) })
  const vault = vaultOf(options.credentials)
  let gate: SessionGate | null = null
  const others = new Map<string, Pick<HttpParts, 'vault' | 'gate'>>()
  const authority = createAuthority()
  const modules = new Set<ModuleEgress>()
  const memories = createProxyMemories()
  const shared = {
    ...names,
    dns,
    dialer,
    guard,
    trustAnchors,
    lanes,
    connections,
    vault,
    identity,
    target,
    excludes,
    gate: () => gate,
    others,
    silence,
    tokens: createPageTokens({
      ...{ isOwn: vault.isOwn, isCarried: vault.carries, clock: () => Date.now() },
      hide: (token) => redact.learn(token),
    }),
    ...(options.answered ? { answered: options.answered } : {}),
    besides: createBesides(vault.isOwn),
    ledAlone: createLedAlone(vault.isOwn),
    hideCookies: (cookies: string): void => redact.learn({ cookie: secretsAmong(cookies), header: null }),
  }

  return {
    redact,
    become: (credentials, isPassing) => {
      redact.learn(credentials, isPassing)
      vault.replace(credentials)
    },
    watch: (watching) => {
      gate = watching
    },
    hide: (credentials) => redact.learn(credentials),
    other: (name, credentials) => {
      const { identity, door } = otherIdentity(vaultOf(credentials), redact)
      redact.learn(credentials)
      others.set(name, door)
      return identity
    },
    forModule: (moduleId, limits) => {
      const module = createModuleEgress(
        {
          ...shared,
          openBrowserProxy,
          memories,
          authority,
          audit: createAudit(moduleId, redact, options.audit),
        },
        moduleId,
        limits.requests,
        AbortSignal.any([signal, limits.signal]),
        judgeOfOwn(limits.judge ?? null, target.host),
        limits.signsIn,
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

/** Somebody else of the run: what signs in is told through `identity`, what asks looks at `door`. */
const otherIdentity = (vault: Vault, redact: ReturnType<typeof createRedactor>) => {
  let watching: SessionGate | null = null
  const identity: Pick<RunEgress, 'become' | 'watch'> = {
    become: (session, isPassing) => {
      redact.learn(session, isPassing)
      vault.replace(session)
    },
    watch: (keeper) => {
      watching = keeper
    },
  }
  return { identity, door: { vault, gate: () => watching } }
}

/** How names become addresses: by the machine's servers, or by those of the settings. The audit log is told of each. */
const namesOf = ({ settings, unvalidated, credentials }: EgressOptions, parts: QuestionParts) => {
  const hosts = createHostTable(settings.hosts)
  const ownServers = settings.resolvers.length > 0
  const servers = ownServers ? settings.resolvers.map(parseServer) : systemServers()
  const ask = (question: DnsQuestion): Promise<DnsAnswer> => askResolvers(parts, question, servers)
  const askAuthorities = createAskAuthorities({
    resolver: ask,
    server: (question, address) => askServer(parts, question, address),
  })
  const resolve = createResolver({
    hosts,
    ownServers,
    never: settings.outOfBandDomain,
    query: (name, type) => ask({ name, type }),
    ...(unvalidated && !hasCredentials(credentials)
      ? { queryUnvalidated: withoutValidation(ask, askAuthorities) }
      : {}),
    resolved: (name, addresses, error) =>
      parts.audit({
        event: 'resolve',
        detail: addresses.length > 0 ? `${name}: ${addresses.join(', ')}` : name,
        ...(error instanceof Error ? { error: error.message } : {}),
      }),
  })
  return { hosts, servers, ownServers, askAuthorities, resolve }
}

/** The name's own servers are asked where the resolver refuses even so. */
const withoutValidation =
  (ask: (question: DnsQuestion) => Promise<DnsAnswer>, askAuthorities: AskAuthorities) =>
  async (name: string, type: 'A' | 'AAAA'): Promise<DnsAnswer> => {
    const question = { name, type, checkingDisabled: true }
    const answer = await ask(question)
    return answer.rcode === 'SERVFAIL' ? askAuthorities(question) : answer
  }

/** Made when a browser is first opened: few runs open one, and the library behind it is large. */
const createAuthority = (): (() => Promise<ProxyAuthority>) => {
  let made: Promise<ProxyAuthority> | null = null
  return () => {
    made ??= import('../browser/proxy-authority.ts').then(({ createProxyAuthority }) => createProxyAuthority())
    return made
  }
}

/** Whether an address of the target is one that nobody asks for; `written` is how the request spells it. */
const excludesOf = (patterns: readonly string[], host: string) => {
  const exclusion = createExclusion(patterns)
  return (url: URL, written?: string): boolean =>
    isOwn(canonicalHost(url.hostname), host) &&
    (exclusion(url.href) || (written !== undefined && exclusion(`${url.origin}${written.replace(/^(?!\/)/, '/')}`)))
}

/** What leaves for other hosts is not the policy's: they are asked as visitors ask them. */
const judgeOfOwn = (judge: Judge | null, host: string): Judge | undefined =>
  judge === null ? undefined : (sent) => (isOwn(canonicalHost(new URL(sent.url).hostname), host) ? judge(sent) : null)
