/**
 * The TLS survey beside testssl.sh and sslscan on the same six servers in one run: protocols and suites have to be the
 * same sets, verdicts are printed side by side, and the whole times compared. Needs Debian's testssl.sh, sslscan,
 * nginx-light, gnutls-bin and openssl. Runs in a network namespace of its own where it may make one.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEgress } from '../src/egress/door/create-egress.ts'
import { suiteOf } from '../src/knowledge/tls/suites.ts'
import { SETTINGS } from '../src/main/settings.ts'
import { surveyEndpoint } from '../src/modules/network/tls-deep/survey.ts'
import type { EndpointFacts } from '../src/protocols/tls/endpoint.ts'
import { createProber } from '../src/protocols/tls/wire/prober.ts'
import { type Measurement, publish, row } from './table.ts'
import { type BenchServer, missingPrograms, startServers } from './tls-servers.ts'

const INSIDE = 'SONDE_BENCH_TLS_INSIDE'
const ADDRESS = '127.0.0.1'
const PROTOCOLS = ['SSLv2', 'SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

/** Version, space, code: comparable between the tools. */
type SuiteSet = ReadonlySet<string>

interface Result {
  readonly seconds: number
  readonly protocols: ReadonlySet<string>
  readonly suites: SuiteSet
  /** Name of a flaw to whether it was found. */
  readonly verdicts: ReadonlyMap<string, boolean>
}

const main = async (): Promise<void> => {
  if (process.env[INSIDE] === undefined && enterNamespace()) return
  const missing = missingPrograms()
  if (missing.length > 0) {
    process.stderr.write(`bench:tls needs ${missing.join(', ')}: apt-get install nginx-light gnutls-bin openssl\n`)
    process.exitCode = 1
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-tls-'))
  const servers = startServers(folder)
  try {
    for (const server of servers.list) await listening(server.port)
    await ours(servers.list[0]?.port ?? 0) // warm: the others are measured as they would be in a worker that runs
    const rows: Measurement[] = []
    const times = { ours: 0, testssl: 0, sslscan: 0 }
    for (const server of servers.list) {
      const mine = await ours(server.port)
      const testssl = runTestssl(server.port, folder)
      const sslscan = runSslscan(server.port)
      times.ours += mine.seconds
      times.testssl += testssl?.seconds ?? 0
      times.sslscan += sslscan?.seconds ?? 0
      rows.push(...rowsOf(server, mine, testssl, sslscan), pacedRow(server, await ours(server.port, BY_DEFAULT)))
      printVerdicts(server, mine, testssl, sslscan)
    }
    rows.push({
      id: 'tls.all.time',
      what: 'all six servers, whole time',
      unit: 's',
      ours: times.ours,
      peer: peer('testssl.sh', times.testssl || null),
      target: { text: 'at least 30 times faster', met: (_ours, ratio) => (ratio === null ? null : ratio <= 1 / 30) },
    })
    publish('tls', rows.map(row))
  } finally {
    servers.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fixed ports and tools that bind every address harm nobody in a namespace. False where none may be made. */
const enterNamespace = (): boolean => {
  if (spawnSync('unshare', ['-n', 'true']).status !== 0) return false
  const self = fileURLToPath(import.meta.url)
  const script = `ip link set lo up && exec "${process.execPath}" "${self}"`
  const done = spawnSync('unshare', ['-n', 'sh', '-c', script], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  })
  process.exitCode = done.status ?? 1
  return true
}

const listening = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, ADDRESS, () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing listens on port ${port}`)
}

/** Of one run against one host: as fast as it goes, for the tools beside; or as the service asks by default. */
const UNBOUND = { requestsPerSecond: 100_000, concurrency: 64 }
const BY_DEFAULT = {
  requestsPerSecond: SETTINGS.targetRequestsPerSecond.unset,
  concurrency: SETTINGS.targetConnections.unset,
}

const ours = async (port: number, pace = UNBOUND): Promise<Result> => {
  const { signal } = new AbortController()
  const egress = createEgress({
    settings: {
      hosts: { 'shop.test': [ADDRESS] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [`${ADDRESS}:9`],
      ...pace,
      contact: 'bench@example.org',
      trafficKey: Buffer.from('bench').toString('base64url'),
    },
    runId: '00000000-0000-4000-8000-00000000000b',
    version: '0.0.0',
    target: { host: 'shop.test', port },
    credentials: { cookie: null, header: null },
    audit: () => undefined,
    signal,
  })
  const door = egress.forModule('tls-deep', { requests: 10_000, signal })
  const began = performance.now()
  const prober = createProber(door, { host: 'shop.test', address: ADDRESS, port, service: 'https' }, signal)
  const facts = await surveyEndpoint(prober, () => undefined)
  const seconds = (performance.now() - began) / 1000
  await egress.close()
  if (facts === null) throw new Error(`nothing was found on port ${port}`)
  return { seconds, ...setsOf(facts), verdicts: verdictsOf(facts) }
}

const key = (protocol: string, code: number): string => `${protocol} 0x${code.toString(16).padStart(4, '0')}`

const setsOf = (facts: EndpointFacts): Pick<Result, 'protocols' | 'suites'> => ({
  protocols: new Set(facts.protocols.filter((one) => one.state === 'offered').map((one) => one.protocol)),
  suites: new Set(facts.protocols.flatMap((one) => one.suites.map((code) => key(one.protocol, code)))),
})

const verdictsOf = (facts: EndpointFacts): ReadonlyMap<string, boolean> => {
  const all = facts.protocols.flatMap((one) =>
    one.suites.map((code) => ({ protocol: one.protocol, suite: suiteOf(code) })),
  )
  const any = (test: (one: (typeof all)[number]) => boolean) => all.some(test)
  return new Map([
    ['heartbleed', facts.heartbleed.verdict === 'vulnerable'],
    ['CCS', facts.ccs.verdict === 'vulnerable'],
    ['ticketbleed', facts.ticketbleed.verdict === 'vulnerable'],
    ['ROBOT', facts.robot.verdict === 'strong' || facts.robot.verdict === 'weak'],
    ['secure_renego', !facts.renegotiation.secure],
    ['secure_client_renego', (facts.renegotiation.accepted ?? 0) > 0],
    ['CRIME_TLS', facts.extensions?.compression ?? false],
    ['POODLE_SSL', any(({ protocol, suite }) => protocol === 'SSLv3' && suite.mode === 'cbc')],
    ['fallback_SCSV', facts.fallbackScsv === 'ignored'],
    ['SWEET32', any(({ suite }) => ['3DES', 'IDEA', 'DES', 'RC2'].includes(suite.cipher))],
    ['FREAK', any(({ suite }) => suite.isExport && suite.exchange === 'RSA')],
    ['DROWN', facts.sslv2.ciphers.length > 0],
    [
      'LOGJAM',
      any(({ suite }) => suite.isExport && suite.exchange === 'DHE') || facts.dh.some((one) => one.bits <= 1024),
    ],
    ['BEAST', any(({ protocol, suite }) => protocol === 'TLSv1' && suite.mode === 'cbc')],
    ['LUCKY13', any(({ suite }) => suite.mode === 'cbc')],
    ['RC4', any(({ suite }) => suite.cipher === 'RC4')],
    ['padding oracle', facts.padding.verdict === 'poodle' || facts.padding.verdict === 'oracle'],
    ['early data replay', facts.resumption.earlyDataReplayed === true],
  ])
}

interface TestsslLine {
  readonly id: string
  readonly severity: string
  readonly finding: string
}

const TESTSSL_PROTOCOLS: Readonly<Record<string, string>> = {
  SSLv2: 'SSLv2',
  SSLv3: 'SSLv3',
  TLS1: 'TLSv1',
  TLS1_1: 'TLSv1.1',
  TLS1_2: 'TLSv1.2',
  TLS1_3: 'TLSv1.3',
}
const TESTSSL_VERSIONS: Readonly<Record<string, string>> = {
  ssl2: 'SSLv2',
  ssl3: 'SSLv3',
  tls1: 'TLSv1',
  tls1_1: 'TLSv1.1',
  tls1_2: 'TLSv1.2',
  tls1_3: 'TLSv1.3',
}
const VERDICT_IDS: Readonly<Record<string, readonly string[]>> = {
  LOGJAM: ['LOGJAM', 'LOGJAM-common_primes'],
  DROWN: ['DROWN'],
  POODLE_SSL: ['POODLE_SSL'],
}

/** A whole run for time and verdicts; the list of suites per version is a run of its own, which is not counted. */
const runTestssl = (port: number, folder: string): Result | null => {
  if (spawnSync('testssl', ['--version']).error) return null
  const once = (name: string, options: readonly string[]): { seconds: number; lines: readonly TestsslLine[] } => {
    const file = join(folder, `${name}-${port}.json`)
    rmSync(file, { force: true })
    const began = performance.now()
    spawnSync(
      'testssl',
      ['--quiet', '--warnings', 'off', '--color', '0', '--jsonfile', file, ...options, `${ADDRESS}:${port}`],
      {
        stdio: 'ignore',
        timeout: 600_000,
      },
    )
    const seconds = (performance.now() - began) / 1000
    return { seconds, lines: JSON.parse(readFileSync(file, 'utf8')) as TestsslLine[] }
  }
  const whole = once('whole', [])
  const each = once('each', ['-E'])
  const protocols = whole.lines.flatMap(({ id, finding }) => {
    const name = TESTSSL_PROTOCOLS[id]
    return name !== undefined && /^offered|, offered/.test(finding) ? [name] : []
  })
  const suites = each.lines.flatMap(({ id }) => {
    const found = /^cipher-(ssl2|ssl3|tls1(?:_\d)?)_x([0-9a-f]+)$/.exec(id)
    const version = TESTSSL_VERSIONS[found?.[1] ?? '']
    return found && version ? [key(version, Number.parseInt(found[2] ?? '0', 16))] : []
  })
  const bad = (id: string): boolean | undefined => {
    const lines = whole.lines.filter((line) => (VERDICT_IDS[id] ?? [id]).includes(line.id))
    if (lines.length === 0) return undefined
    return lines.some((line) => !['OK', 'INFO', 'WARN'].includes(line.severity))
  }
  const verdicts = new Map<string, boolean>()
  for (const id of [
    'heartbleed',
    'CCS',
    'ticketbleed',
    'ROBOT',
    'secure_renego',
    'secure_client_renego',
    'CRIME_TLS',
    'POODLE_SSL',
    'fallback_SCSV',
    'SWEET32',
    'FREAK',
    'DROWN',
    'LOGJAM',
    'BEAST',
    'LUCKY13',
    'RC4',
  ]) {
    const verdict = bad(id)
    if (verdict !== undefined) verdicts.set(id, verdict)
  }
  return { seconds: whole.seconds, protocols: new Set(protocols), suites: new Set(suites), verdicts }
}

const runSslscan = (port: number): Result | null => {
  const began = performance.now()
  const done = spawnSync('sslscan', ['--no-colour', '--xml=-', `${ADDRESS}:${port}`], {
    encoding: 'utf8',
    timeout: 300_000,
  })
  if (done.error) return null
  const seconds = (performance.now() - began) / 1000
  const protocols = [...done.stdout.matchAll(/<protocol type="(ssl|tls)" version="([\d.]+)" enabled="1"/g)].map(
    ([, type, version]) => (type === 'ssl' ? `SSLv${version}` : version === '1.0' ? 'TLSv1' : `TLSv${version}`),
  )
  const suites = [...done.stdout.matchAll(/<cipher [^>]*sslversion="([^"]+)"[^>]*id="0x([0-9A-Fa-f]+)"/g)].map(
    ([, version, id]) => key(version === 'TLSv1.0' ? 'TLSv1' : (version ?? ''), Number.parseInt(id ?? '0', 16)),
  )
  const flag = (pattern: RegExp) => pattern.test(done.stdout)
  const verdicts = new Map([
    ['heartbleed', flag(/<heartbleed [^>]*vulnerable="1"/)],
    ['CRIME_TLS', flag(/<compression supported="1"/)],
    ['secure_renego', !flag(/<renegotiation [^>]*secure="1"/) && flag(/<renegotiation /)],
    ['fallback_SCSV', flag(/<fallback supported="0"/)],
  ])
  return { seconds, protocols: new Set(protocols), suites: new Set(suites), verdicts }
}

const peer = (name: string, value: number | null) => ({ name, value, hint: 'apt-get install testssl.sh sslscan' })

const difference = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [...a].filter((one) => !b.has(one))

const rowsOf = (server: BenchServer, mine: Result, testssl: Result | null, sslscan: Result | null): Measurement[] => {
  const rows: Measurement[] = [
    {
      id: `tls.${server.id}.time`,
      what: `${server.what}: whole time`,
      unit: 's',
      ours: mine.seconds,
      peer: peer('testssl.sh', testssl?.seconds ?? null),
      target: { text: 'at least 30 times faster', met: (_ours, ratio) => (ratio === null ? null : ratio <= 1 / 30) },
    },
    {
      id: `tls.${server.id}.time-sslscan`,
      what: `${server.what}: whole time (sslscan: suites, groups, heartbleed alone)`,
      unit: 's',
      ours: mine.seconds,
      peer: peer('sslscan', sslscan?.seconds ?? null),
    },
  ]
  for (const [name, other] of [
    ['testssl.sh', testssl],
    ['sslscan', sslscan],
  ] as const) {
    if (other === null) continue
    for (const what of ['protocols', 'suites'] as const) {
      const [more, less] = [difference<string>(mine[what], other[what]), difference<string>(other[what], mine[what])]
      if (more.length + less.length > 0) {
        process.stdout.write(
          `${server.id}: ${what} differ\n  ours alone: ${named(more)}\n  ${name} alone: ${named(less)}\n`,
        )
      }
      rows.push({
        id: `tls.${server.id}.${what}-${name}`,
        what: `${server.what}: ${what} that differ`,
        unit: `of ${mine[what].size}`,
        ours: more.length + less.length,
        peer: { name, value: other[what].size },
        target: { text: 'the same set', met: (count) => count === 0 },
      })
    }
  }
  return rows
}

/** What a run of the service takes for it: an ordinary server offers two versions and a dozen suites. */
const pacedRow = ({ id, what }: BenchServer, { seconds, protocols }: Result): Measurement => ({
  id: `tls.${id}.paced`,
  what: `${what}: whole time at the default pace of a run`,
  unit: 's',
  ours: seconds,
  ...(protocols.size === 2 ? { target: { text: '< 5', met: (value) => value < 5 } } : {}),
})

const named = (list: readonly string[]): string =>
  list
    .toSorted()
    .map((one) => {
      const [version, code] = one.split(' ')
      return code === undefined ? one : `${version} ${suiteOf(Number(code)).name}`
    })
    .join(', ') || 'none'

const printVerdicts = (server: BenchServer, mine: Result, testssl: Result | null, sslscan: Result | null): void => {
  const show = (result: Result | null, id: string) => {
    const verdict = result?.verdicts.get(id)
    return (verdict === undefined ? '-' : verdict ? 'FOUND' : 'no').padEnd(10)
  }
  const lines = [...mine.verdicts.keys()].map((id) => {
    const [a, b] = [mine.verdicts.get(id), testssl?.verdicts.get(id)]
    return `  ${id.padEnd(22)}${show(mine, id)}${show(testssl, id)}${show(sslscan, id)}${b !== undefined && a !== b ? 'differs' : ''}`
  })
  process.stdout.write(
    `\n${server.what}\n  ${''.padEnd(22)}${'ours'.padEnd(10)}${'testssl'.padEnd(10)}sslscan\n${lines.join('\n')}\n`,
  )
  process.stdout.write(
    `  protocols: ${PROTOCOLS.filter((one) => mine.protocols.has(one)).join(', ')}; ${mine.suites.size} suites; ${mine.seconds.toFixed(2)} s, testssl ${testssl?.seconds.toFixed(1) ?? '-'} s, sslscan ${sslscan?.seconds.toFixed(2) ?? '-'} s\n`,
  )
}

await main()
