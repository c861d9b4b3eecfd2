/**
 * Sweep and identification beside nmap, on one loopback address with real services of Debian's packages.
 * Needs root (ports below 1024) and the packages that tests/support/services-*.ts name.
 */
import { execFileSync } from 'node:child_process'
import { commonPorts } from '../src/knowledge/ports/common.ts'
import { collectPorts } from '../src/modules/network/ports/collect.ts'
import type { PortsFacts } from '../src/modules/network/ports/facts.ts'
import { collectServices } from '../src/modules/network/services/collect.ts'
import type { ServicesFacts } from '../src/modules/network/services/facts.ts'
import { collectContext } from '../src/modules/testing/collecting.ts'
import { isInstalled, type RunningServices, startServices } from '../tests/support/services.ts'
import { HEAVY_SERVICES } from '../tests/support/services-heavy.ts'
import { LIGHT_SERVICES } from '../tests/support/services-light.ts'
import { percentile, publish, row } from './table.ts'

const ADDRESS = '127.88.7.9'
const ROUNDS = 5
const ALL_PORTS = Array.from({ length: 65_535 }, (_, index) => index + 1)

const timed = async <Value>(work: () => Promise<Value> | Value): Promise<{ seconds: number; value: Value }> => {
  const began = performance.now()
  const value = await work()
  return { seconds: (performance.now() - began) / 1000, value }
}

interface NmapPort {
  readonly port: number
  readonly product: string
  readonly version: string
}

const nmap = (args: readonly string[]): NmapPort[] => {
  const xml = execFileSync('nmap', ['-sT', '-n', '-Pn', '-oX', '-', ...args, ADDRESS], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: 600_000,
  })
  return [...xml.matchAll(/<port protocol="tcp" portid="(\d+)"><state state="open"[^>]*>(?:<service([^>]*)>)?/g)].map(
    ([, port, service = '']) => ({
      port: Number(port),
      product: /product="([^"]*)"/.exec(service)?.[1] ?? '',
      version: /version="([^"]*)"/.exec(service)?.[1] ?? '',
    }),
  )
}

const sweep = async (ports: readonly number[]): Promise<readonly number[]> => {
  const { ctx, close } = collectContext(ADDRESS, { module: 'ports', requests: 1_000_000 })
  try {
    const first = await ctx.egress.sweep({ host: 'shop.test', ports })
    return (await ctx.egress.sweep({ host: 'shop.test', ports: first.open })).open
  } finally {
    await close()
  }
}

const identify = async (ports: PortsFacts): Promise<ServicesFacts> => {
  const { ctx, close } = collectContext(ADDRESS, { module: 'services', requests: 1_000_000 })
  try {
    return await collectServices(ctx, ports)
  } finally {
    await close()
  }
}

/** Ours and the peer's in turn, so that both see the same machine; the middle of the rounds. */
const compare = async (ours: () => Promise<unknown>, peer: () => unknown): Promise<{ ours: number; peer: number }> => {
  const seconds: { ours: number[]; peer: number[] } = { ours: [], peer: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    seconds.ours.push((await timed(ours)).seconds)
    seconds.peer.push((await timed(peer)).seconds)
  }
  return { ours: percentile(seconds.ours, 0.5), peer: percentile(seconds.peer, 0.5) }
}

const installed = [...LIGHT_SERVICES, ...HEAVY_SERVICES].filter(isInstalled)
const missing = [...LIGHT_SERVICES, ...HEAVY_SERVICES].filter((service) => !isInstalled(service))
if (missing.length > 0) process.stdout.write(`not installed: ${missing.map(({ needs }) => needs).join(', ')}\n`)
// One that lacks a part of itself is named, and the others are measured.
const started = await Promise.all(
  installed.map(async (service): Promise<readonly RunningServices[]> => {
    try {
      return [await startServices(ADDRESS, [service])]
    } catch (error) {
      process.stdout.write(`does not start: ${error instanceof Error ? error.message.trim() : String(error)}\n`)
      return []
    }
  }),
)
const running = started.flat()
const services = running.flatMap((one) => one.started)
try {
  const thousand = await compare(
    () => sweep(commonPorts()),
    () => nmap(['--top-ports', '1000']),
  )
  const all = await compare(
    () => sweep(ALL_PORTS),
    () => nmap(['-p-']),
  )
  const open = nmap(['-p-'])
    .map(({ port }) => port)
    .toSorted((a, b) => a - b)
  const oursOpen = await sweep(ALL_PORTS)
  const differ = [
    ...open.filter((port) => !oursOpen.includes(port)),
    ...oursOpen.filter((port) => !open.includes(port)),
  ]
  if (differ.length > 0) process.stdout.write(`open to one of the two only: ${differ.join(', ')}\n`)

  const { ctx, close } = collectContext(ADDRESS, {
    module: 'ports',
    requests: 1_000_000,
    settings: { ports: open.join(',') },
  })
  const facts = await collectPorts(ctx)
  await close()
  const identified = await timed(() => identify(facts))
  // Once more without the ports that neither can name: nmap spends most of its time on one of those.
  const known = new Set(services.flatMap(({ truth }) => truth.map(({ port }) => port)))
  const knownFacts = { ...facts, open: facts.open.filter((port) => known.has(port)), openCount: known.size }
  const oursKnown = await timed(() => identify(knownFacts))
  const peerKnown = await timed(() => nmap(['-sV', '-p', [...known].join(',')]))
  const versioned = await timed(() => nmap(['-sV', '-p', open.join(',')]))

  const truths = services.flatMap(({ truth }) => truth).map((one) => ({ ...one, version: one.version?.() ?? null }))
  const score = (of: (port: number) => { product: string; version: string } | undefined) =>
    truths.map(({ port, product, version }) => {
      const said = of(port)
      const named = said !== undefined && product.test(said.product)
      const first = said?.version.replace(/^5\.5\.5-/, '').split(/[ -]/)[0] ?? ''
      return { port, said, named, versioned: named && version !== null && first === version }
    })
  const ours = score((port) => {
    const one = identified.value.services.find((service) => service.port === port)
    return one && { product: one.product ?? '', version: one.version ?? '' }
  })
  const peer = score((port) => versioned.value.find((one) => one.port === port))
  process.stdout.write('\nport   ours | nmap\n')
  for (const [index, { port, said, named, versioned: exact }] of ours.entries()) {
    const other = peer[index]
    const mark = (name: boolean, version: boolean): string =>
      version ? 'product and version' : name ? 'product' : 'not right'
    process.stdout.write(
      `${String(port).padEnd(6)} ${said?.product ?? ''} ${said?.version ?? ''} (${mark(named, exact)}) | ${other?.said?.product ?? ''} ${other?.said?.version ?? ''} (${mark(other?.named ?? false, other?.versioned ?? false)})\n`,
    )
  }
  const count = (
    rows: readonly { readonly named: boolean; readonly versioned: boolean }[],
    key: 'named' | 'versioned',
  ): number => rows.filter((one) => one[key]).length
  const within = (text: string) => ({ text, met: (_: number, ratio: number | null) => ratio !== null && ratio <= 2 })
  const asMany = { text: 'as many as nmap', met: (_: number, ratio: number | null) => ratio === null || ratio >= 1 }
  publish('ports', [
    row({
      id: 'sweep-1000',
      what: '1,000 TCP ports, each open one twice',
      unit: 's',
      ours: thousand.ours,
      peer: { name: 'nmap -sT --top-ports 1000', value: thousand.peer },
      target: within('within 2x of nmap'),
    }),
    row({
      id: 'sweep-65535',
      what: '65,535 TCP ports, each open one twice',
      unit: 's',
      ours: all.ours,
      peer: { name: 'nmap -sT -p-', value: all.peer },
      target: within('within 2x of nmap'),
    }),
    row({
      id: 'open',
      what: 'open ports found',
      unit: 'ports',
      ours: oursOpen.length,
      peer: { name: 'nmap -sT -p-', value: open.length },
      target: { text: 'the same ports', met: () => differ.length === 0 },
    }),
    row({
      id: 'identify',
      what: `identification of ${open.length} ports, ${services.length} real services`,
      unit: 's',
      ours: identified.seconds,
      peer: { name: 'nmap -sV', value: versioned.seconds },
      target: { text: 'at least 3x faster', met: (_, ratio) => ratio !== null && ratio <= 1 / 3 },
    }),
    row({
      id: 'identify-known',
      what: `identification of the ${known.size} ports with a known service`,
      unit: 's',
      ours: oursKnown.seconds,
      peer: { name: 'nmap -sV', value: peerKnown.seconds },
      target: { text: 'at least 3x faster', met: (_, ratio) => ratio !== null && ratio <= 1 / 3 },
    }),
    row({
      id: 'products',
      what: `products right of ${truths.length}`,
      unit: 'ports',
      ours: count(ours, 'named'),
      peer: { name: 'nmap -sV', value: count(peer, 'named') },
      target: asMany,
    }),
    row({
      id: 'versions',
      what: `versions right of ${truths.filter(({ version }) => version !== null).length}`,
      unit: 'ports',
      ours: count(ours, 'versioned'),
      peer: { name: 'nmap -sV', value: count(peer, 'versioned') },
      target: asMany,
    }),
  ])
} finally {
  await Promise.all(running.map((one) => one.close()))
}
