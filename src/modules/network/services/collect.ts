import { isUntouched } from '../../../knowledge/ports/untouched.ts'
import { loadRecog, openRecog, type RecogRules } from '../../../knowledge/recog/load.ts'
import { habitOf, SERVICES } from '../../../knowledge/services/services.ts'
import type { Said } from '../../../protocols/services/talk.ts'
import { writeBytes } from '../../evidence/hex-dump.ts'
import type { CollectContext } from '../../module.ts'
import type { PortsFacts } from '../ports/facts.ts'
import { acceptsEverything } from '../ports/facts-decoys.ts'
import type { ServiceFacts, ServicesFacts } from './facts.ts'
import { type Found, identifyPort } from './identify.ts'
import { askProxies } from './proxy.ts'
import { recogIdentity } from './recog.ts'
import { knownHostKeys } from './ssh-known-key.ts'

/** Ports asked at once. */
const AT_ONCE = 24
const MOST_PORTS = 256

/** Every open port is asked who it is; all side by side. */
export const collectServices = async (ctx: CollectContext, ports: PortsFacts): Promise<ServicesFacts> => {
  const everythingOpen = acceptsEverything(ports)
  const asked = chosen(ports, everythingOpen)
  const named = ctx.settings?.recogFolder
  const rules = named === undefined ? openRecog(ctx.knowledge) : loadRecog(named)
  const services: ServiceFacts[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let port = asked[next++]; port !== undefined; port = asked[next++]) {
      ctx.signal.throwIfAborted()
      services.push(factsOf(ctx, port, await identifyPort(ctx, port), rules))
      ctx.progress(`${services.length} of ${asked.length} services`, services.length / asked.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, asked.length) }, worker))
  const listed = services.toSorted((a, b) => a.port - b.port)
  const proxies = everythingOpen ? null : await askProxies(ctx, ports.address, listed)
  return {
    host: ports.host,
    address: ports.address,
    everythingOpen,
    // Where everything is open, an open port means nothing: only what spoke its protocol is a service.
    services: everythingOpen ? listed.filter(({ by }) => by === 'protocol') : listed,
    leftOut: ports.openCount - asked.length,
    ...(proxies === null ? {} : { proxies }),
    knownKeys: knownHostKeys(ctx.knowledge, listed),
    recog: rules?.version ?? null,
  }
}

/** Where everything is open: the ports of known services. Otherwise all, the known ones first. */
const chosen = ({ open }: PortsFacts, everythingOpen: boolean): readonly number[] => {
  const known = open.filter((port) => habitOf(port) !== null)
  if (everythingOpen) {
    const first = new Set(
      SERVICES.flatMap(({ ports, tlsPorts = [] }) => [...ports.slice(0, 1), ...tlsPorts.slice(0, 1)]),
    )
    return known.filter((port) => first.has(port) && !isUntouched(port)).slice(0, MOST_PORTS)
  }
  return [...known, ...open.filter((port) => !known.includes(port))].slice(0, MOST_PORTS)
}

const factsOf = (ctx: CollectContext, port: number, found: Found, rules: RecogRules | null): ServiceFacts => {
  const { proved } = found
  const ours = {
    product: proved?.product ?? null,
    version: proved?.version ?? null,
    info: proved?.info ?? null,
    cpe: proved?.cpe ?? null,
  }
  const imported = rules ? recogIdentity(rules, found) : null
  // Ours read the exchange; an imported rule fills what they left open.
  const identity =
    imported === null
      ? ours
      : {
          product: ours.product ?? imported.product,
          version: ours.version ?? imported.version,
          info: ours.info ?? imported.info,
          cpe: ours.cpe ?? imported.cpe,
        }
  const access = proved?.access ?? null
  const service = found.service
  return {
    port,
    service,
    title: service === null ? null : (SERVICES.find(({ id }) => id === service)?.title ?? service),
    by: found.by,
    tls: found.tls,
    starttls: proved?.starttls ?? false,
    ...identity,
    recog: imported?.rule ?? null,
    access,
    weakness: proved?.weakness ?? null,
    kex: proved?.kex ?? null,
    exchange: found.said,
    evidence: access
      ? ctx.evidence({
          filename: `${port}-${service ?? 'service'}.txt`,
          contentType: 'text/plain; charset=utf-8',
          body: writeExchange(ctx.target.host, port, found.said),
        })
      : null,
    replay: found.web?.replay ?? proved?.replay ?? replayOf(ctx.target.host, port, found),
  }
}

/** The whole exchange as a person reads it. */
const writeExchange = (host: string, port: number, said: readonly Said[]): string =>
  [
    `${host} port ${port}`,
    ...said.map(
      ({ from, bytes, size }) => `${from === 'us' ? 'sent' : 'received'} ${size} bytes\n${writeBytes(bytes, 4_096)}`,
    ),
    '',
  ].join('\n\n')

/** Sends the same bytes again; null where nothing was sent or the exchange had several turns inside TLS. */
const replayOf = (host: string, port: number, { said, tls }: Found): string | null => {
  const sent = said.filter(({ from }) => from === 'us')
  if (sent.length === 0) return null
  const bytes = Buffer.concat(sent.map((one) => Buffer.from(one.bytes, 'base64'))).toString('base64')
  if (bytes.length > 2_000) return null
  const through = tls ? `openssl s_client -quiet -connect ${host}:${port}` : `nc -w 3 ${host} ${port}`
  return `echo ${bytes} | base64 -d | ${through}`
}
