/** One module's handle on the door: its budget, its name in the audit log, its sockets. */
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { Audit } from '../audit/audit.ts'
import type { openBrowserProxy } from '../browser/browser-proxy.ts'
import type { ProxyAuthority } from '../browser/proxy-authority.ts'
import type { ProxyMemories } from '../browser/proxy-memory.ts'
import type { AskAuthorities } from '../dns/authorities.ts'
import type { DnsClient, DnsServer } from '../dns/dns.ts'
import type { HostTable, Resolver } from '../dns/resolve.ts'
import { asOther, type HttpParts, type Judge, sendRequest } from '../http/http.ts'
import type { Besides } from './besides.ts'
import type { ModuleEgress } from './create-egress.ts'
import type { Dialer } from './dialer.ts'
import { EgressError } from './egress.ts'
import type { Guard } from './guard.ts'
import type { LedAlone } from './led-alone.ts'
import { askName } from './module-dns.ts'
import { connect, exchangeDatagram, openTls, sweepPorts } from './module-sockets.ts'

/** What all modules of a run share. */
export interface SharedParts extends HttpParts {
  readonly besides: Besides
  readonly ledAlone: LedAlone
  /** See Egress. */
  readonly hideCookies: (cookies: string) => void
  readonly resolve: Resolver
  readonly dns: DnsClient
  readonly askAuthorities: AskAuthorities
  readonly dialer: Dialer
  readonly guard: Guard
  readonly hosts: HostTable
  /** The operator's resolvers. */
  readonly servers: readonly DnsServer[]
  /** The operator named them, so they may know the names of the static table too. */
  readonly ownServers: boolean
  readonly trustAnchors: readonly string[] | undefined
  readonly target: { readonly host: string; readonly port: number | null }
  readonly audit: Audit
  readonly openBrowserProxy: typeof openBrowserProxy
  readonly authority: () => Promise<ProxyAuthority>
  readonly memories: ProxyMemories
  /** Nothing leaves any more once it has aborted; its reason is thrown. Undefined: that never happens. */
  readonly silence: AbortSignal | undefined
}

/** What one module's requests work with. */
export interface OwnParts {
  readonly parts: SharedParts
  readonly module: string
  /** Aborted when the module ends. */
  readonly signal: AbortSignal
  readonly audit: Audit
  /** Counts one request. @throws EgressError `budget` where there is none left, `aborted` once the module has ended */
  readonly spend: () => void
  /** Those that are open. */
  readonly sockets: Set<Socket>
}

export const createModuleEgress = (
  parts: SharedParts,
  module: string,
  budget: number,
  outer: AbortSignal,
  judge?: Judge,
  signsIn?: boolean,
): ModuleEgress => {
  const closing = new AbortController()
  const signal = AbortSignal.any([outer, closing.signal])
  setMaxListeners(0, signal)
  const sockets = new Set<Socket>()
  const proxies = new Set<{ readonly close: () => Promise<void> }>()
  const { audit } = parts
  const asker = { module, signal, audit, judge, signsIn }
  let spent = 0

  // Asked for every port of a sweep; the getter of a composite signal is dear.
  let isOver = signal.aborted
  signal.addEventListener('abort', () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  })
  const spend = () => {
    if (isOver) throw new EgressError('aborted', `${module}: stopped`, { cause: signal.reason })
    // A sweep of ports has no turn to wait for.
    if (parts.silence?.aborted === true) throw parts.silence.reason
    if (spent >= budget) throw new EgressError('budget', `${module} has used its ${budget} requests`)
    spent += 1
  }
  const own: OwnParts = { parts, module, signal, audit, spend, sockets }

  return {
    ...(parts.trustAnchors ? { trustAnchors: parts.trustAnchors } : {}),
    requests: () => spent,
    close: async () => {
      closing.abort(new EgressError('aborted', `${module} has ended`))
      await Promise.all([...proxies].map((proxy) => proxy.close()))
    },
    excludes: (address) => {
      const url = URL.parse(address)
      return url !== null && parts.excludes(url)
    },
    resolve: (name) => parts.resolve(name, signal),
    http: async (request) => {
      spend()
      return sendRequest(parts.besides.joined(parts.ledAlone.joined(request)), parts, asker)
    },
    credentialsFor: async (address, as) => {
      const url = URL.parse(address)
      const vault = as === undefined ? parts.vault : parts.others.get(as)?.vault
      return url === null || vault === undefined
        ? []
        : (await vault.headersFor(url)).map(({ name, value }) => [name, value] as const)
    },
    hideCookies: parts.hideCookies,
    carry: parts.besides.carry,
    leads: parts.ledAlone.leads,
    formerCredentialsFor: (address) => {
      const url = URL.parse(address)
      const former = url === null ? [] : parts.vault.formerFor(url)
      return former.map((headers) => headers.map(({ name, value }) => [name, value] as const))
    },
    connect: (target) => connect(own, target),
    sweep: (target) => sweepPorts(own, target),
    tls: (target) => openTls(own, target),
    dns: (question) => askName(own, question),
    datagram: (target) => exchangeDatagram(own, target),
    browserProxy: async ({ authenticated = true, as, ...watching } = {}) => {
      const proxy = await parts.openBrowserProxy({
        ...{ ...parts, ...watching, module, signal, judge, spend, authenticated, signsIn },
        ...(as === undefined ? {} : { ...asOther(parts, as), as }),
      })
      proxies.add(proxy)
      return proxy
    },
  }
}
