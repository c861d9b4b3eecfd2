/**
 * A small internet of real name servers, BIND each, on loopback addresses of their own: one serves the root and `test`,
 * one the zones below it, and one is the validating resolver. Needs root for port 53.
 */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { caseAddress } from '../../src/modules/testing/collecting.ts'

export interface ZoneSpec {
  /** E.g. `good.test`. Outside of `test` the root delegates it. */
  readonly name: string
  /** Lines of a zone file after SOA and NS. */
  readonly records?: readonly string[]
  /** Replaces the NS lines at the apex; the delegation keeps its own. */
  readonly ns?: readonly string[]
  /** NS lines of the delegation in `test`. */
  readonly delegation?: readonly string[]
  readonly sign?: Signing
  /** Who may transfer the zone; default everybody. */
  readonly transfer?: 'any' | 'none'
  /** Changes the signed zone file before it is served. */
  readonly tamper?: (file: string) => string
}

export interface Signing {
  readonly algorithm?: string
  readonly bits?: number
  readonly nsec3?: { readonly iterations: number; readonly salt: string; readonly optOut?: boolean }
  /** As dnssec-signzone takes them, e.g. `-172800` or `now-1000`. */
  readonly start?: string
  readonly end?: string
  /** none: no DS in the parent; wrong: the DS of a key that the zone does not have. */
  readonly ds?: 'right' | 'none' | 'wrong' | 'sha1'
}

export interface Bind {
  /** Address of the validating resolver. */
  readonly resolver: string
  /** Addresses that serve the parents, the zones, and nobody. */
  readonly parent: string
  readonly child: string
  readonly silent: string
  /** DS of the root, as `trustAnchors` takes it. */
  readonly anchor: string
  readonly stop: () => Promise<void>
}

const run = promisify(execFile)
const START_TIMEOUT = 20_000

/** Addresses of the servers, known before they run so that zones can name them. */
export const bindAddresses = () => ({
  parent: caseAddress(201),
  child: caseAddress(202),
  resolver: caseAddress(203),
  silent: caseAddress(204),
})

export const startBind = async (zones: readonly ZoneSpec[]): Promise<Bind> => {
  const at = bindAddresses()
  const dir = await mkdtemp(join(tmpdir(), 'sonde-bind-'))
  const built = await Promise.all(zones.map((zone) => buildZone(dir, zone, at)))
  const test = await buildZone(
    dir,
    {
      name: 'test',
      ns: ['@ NS ns.test.'],
      records: [`ns A ${at.parent}`, ...delegations(built, true)],
      sign: {},
    },
    at,
  )
  const root = await buildZone(
    dir,
    {
      name: '.',
      ns: ['@ NS ns.test.'],
      records: ['test. NS ns.test.', `ns.test. A ${at.parent}`, ...test.ds, ...delegations(built, false)],
      sign: {},
    },
    at,
  )
  await writeFile(join(dir, 'hints'), `. 3600 NS ns.test.\nns.test. 3600 A ${at.parent}\n`)
  const stops = await Promise.all([
    serveFace(dir, 'parent', at.parent, authoritative([root, test])),
    serveFace(dir, 'child', at.child, authoritative(built)),
    serveFace(dir, 'resolver', at.resolver, resolving(dir, root.key)),
  ])
  const anchor = root.ds[0]?.replace(/^\S+ (?:\d+ )?(?:IN )?DS /, '. ') ?? ''
  const stop = async () => {
    await Promise.all(stops.map((one) => one()))
    await rm(dir, { recursive: true, force: true })
  }
  return { ...at, anchor, stop }
}

/** Zones below `test` hang there, all others on the root. */
const delegations = (zones: readonly Built[], belowTest: boolean): readonly string[] =>
  zones.filter(({ name }) => name.endsWith('.test') === belowTest).flatMap(({ delegation }) => delegation)

interface Built {
  readonly name: string
  readonly transfer: 'any' | 'none'
  readonly file: string
  /** Lines for the parent's zone file. */
  readonly delegation: readonly string[]
  readonly ds: readonly string[]
  /** DNSKEY line of the signing key; '' when unsigned. */
  readonly key: string
}

type Addresses = ReturnType<typeof bindAddresses>

const buildZone = async (dir: string, zone: ZoneSpec, at: Addresses): Promise<Built> => {
  const { name, sign, transfer = 'any' } = zone
  const label = name === '.' ? 'root' : name
  const origin = name === '.' ? '.' : `${name}.`
  const file = join(dir, `${label}.zone`)
  const ns = zone.ns ?? ['@ NS ns1', '@ NS ns2', `ns1 A ${at.child}`, `ns2 A ${at.child}`]
  const lines = [
    '$TTL 300',
    `$ORIGIN ${origin}`,
    '@ SOA ns1 hostmaster 1 3600 600 86400 60',
    ...ns,
    ...(zone.records ?? []),
  ]
  const delegation = zone.delegation ?? [
    `${name}. NS ns1.${name}.`,
    `${name}. NS ns2.${name}.`,
    `ns1.${name}. A ${at.child}`,
    `ns2.${name}. A ${at.child}`,
  ]
  if (!sign) {
    await writeFile(file, `${lines.join('\n')}\n`)
    return { name, transfer, file, delegation, ds: [], key: '' }
  }
  const key = await makeKey(dir, origin, sign)
  const keyLine =
    (await readFile(join(dir, `${key}.key`), 'utf8')).split('\n').find((line) => line.includes('DNSKEY')) ?? ''
  await writeFile(file, `${[...lines, keyLine].join('\n')}\n`)
  const nsec3 = sign.nsec3
    ? ['-3', sign.nsec3.salt, '-H', String(sign.nsec3.iterations), ...(sign.nsec3.optOut ? ['-A'] : [])]
    : []
  const times = [...(sign.start ? ['-s', sign.start] : []), ...(sign.end ? ['-e', sign.end] : [])]
  await run(
    'dnssec-signzone',
    ['-P', '-z', '-N', 'keep', ...times, ...nsec3, '-o', origin, '-f', `${file}.signed`, file, key],
    { cwd: dir, timeout: 20_000 },
  )
  if (zone.tamper) await writeFile(`${file}.signed`, zone.tamper(await readFile(`${file}.signed`, 'utf8')))
  const ds = sign.ds === 'none' ? [] : await dsOf(dir, origin, key, sign)
  return { name, transfer, file: `${file}.signed`, delegation: [...delegation, ...ds], ds, key: keyLine }
}

const makeKey = async (dir: string, origin: string, sign: Signing): Promise<string> => {
  const { algorithm = 'ECDSAP256SHA256', bits } = sign
  const size = bits === undefined ? [] : ['-b', String(bits)]
  const { stdout } = await run('dnssec-keygen', ['-q', '-a', algorithm, ...size, '-f', 'KSK', '-K', dir, origin], {
    timeout: 20_000,
  })
  return stdout.trim()
}

const dsOf = async (dir: string, origin: string, key: string, sign: Signing): Promise<string[]> => {
  const other = sign.ds === 'wrong' ? await makeKey(dir, origin, sign) : key
  const digest = sign.ds === 'sha1' ? '-1' : '-2'
  const { stdout } = await run('dnssec-dsfromkey', [digest, '-K', dir, other], { cwd: dir, timeout: 20_000 })
  return stdout.trim().split('\n')
}

/** BIND listens on addresses of interfaces only: each process has a port, and a relay gives it its address and port 53. */
const configuration = (dir: string, port: number, faces: readonly string[]): string => `
options {
  directory "${dir}"; pid-file none; session-keyfile none; empty-zones-enable no; notify no; minimal-responses no;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  ${faces.join('\n  ')}
`

const authoritative = (zones: readonly Built[]): readonly string[] => [
  'recursion no; dnssec-validation no;',
  '};',
  'controls { };',
  ...zones.map(
    ({ name, file, transfer }) => `zone "${name}" { type primary; file "${file}"; allow-transfer { ${transfer}; }; };`,
  ),
]

const resolving = (dir: string, key: string): readonly string[] => {
  const [, flags, protocol, algorithm, text = ''] = /DNSKEY (\d+) (\d+) (\d+) (.*)$/.exec(key) ?? []
  return [
    'recursion yes; dnssec-validation yes; qname-minimization off; servfail-ttl 0; resolver-query-timeout 1500;',
    '};',
    'controls { };',
    `trust-anchors { . static-key ${flags} ${protocol} ${algorithm} "${text.replace(/\s/g, '')}"; };`,
    `zone "." { type hint; file "${dir}/hints"; };`,
  ]
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A face of the internet: a BIND of its own behind `address`. */
const serveFace = async (
  parent: string,
  name: string,
  address: string,
  faces: readonly string[],
): Promise<() => Promise<void>> => {
  const dir = join(parent, name)
  await mkdir(dir)
  const port = await freePort()
  const file = join(dir, 'named.conf')
  await writeFile(file, configuration(dir, port, faces))
  const child = spawn('named', ['-g', '-4', '-n', '1', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  await running(child)
  const closeRelay = await relay(address, port)
  return async () => {
    await closeRelay()
    child.kill('SIGTERM')
    await ended
  }
}

const running = (child: ChildProcessByStdio<null, null, Readable>): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ''
    const fail = (what: string) => reject(new Error(`named ${what}:\n${log.slice(-2000)}`))
    const timer = setTimeout(() => fail('did not start'), START_TIMEOUT)
    child.once('error', reject)
    child.once('exit', () => fail('ended'))
    child.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-100_000)
      if (!/ running\s*$/m.test(log)) return
      clearTimeout(timer)
      resolve()
    })
  })

/** Carries UDP and TCP from port 53 of `address` to `port` of 127.0.0.1. */
const relay = async (address: string, port: number): Promise<() => Promise<void>> => {
  const onward = new Set<Socket>()
  const udp = createSocket('udp4')
  udp.on('message', (message, peer) => {
    const socket = createSocket('udp4')
    onward.add(socket)
    const close = () => {
      clearTimeout(timer)
      if (onward.delete(socket)) socket.close()
    }
    const timer = setTimeout(close, 5_000)
    socket.on('error', close)
    socket.on('message', (reply) => {
      udp.send(reply, peer.port, peer.address)
      close()
    })
    socket.send(message, port, '127.0.0.1')
  })
  udp.bind(53, address)
  await once(udp, 'listening')
  const tcp = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
  })
  tcp.listen(53, address)
  await once(tcp, 'listening')
  return async () => {
    for (const socket of onward) socket.close()
    onward.clear()
    udp.close()
    tcp.close()
    await once(tcp, 'close')
  }
}
