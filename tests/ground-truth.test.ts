/** A whole scan, in its own process, of the flawed shop and of its fixed twin, scored against testbed/truth.ts. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Location } from '../src/contract/finding.ts'
import type { JudgedFinding } from '../src/engine/judge.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { caseAddress } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { type RunningShop, startTestbed, type Testbed } from '../testbed/server.ts'
import { CONSEQUENCES, PLANTED, type Truth } from '../testbed/truth.ts'
import { fixedZone, flawedZone, type ShopZone } from '../testbed/zones.ts'
import { type Bind, bindAddresses, startBind, type ZoneSpec } from './support/bind.ts'
import { SCAN_CHILD } from './support/scan-child.ts'

const SECONDS = 90

interface Scanned {
  readonly findings: readonly JudgedFinding[]
  readonly modules: readonly Extract<FromChild, { type: 'module' }>[]
}

let folder: string
let testbed: Testbed
let bind: Bind
let flawed: Scanned
let fixed: Scanned

beforeAll(
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'sonde-truth-'))
    testbed = await startTestbed({
      flawed: { host: 'shop.test', address: caseAddress(91) },
      fixed: { host: 'shop-fixed.test', address: caseAddress(92) },
    })
    bind = await startBind([
      zoneOf('shop.test', flawedZone(caseAddress(91))),
      zoneOf('shop-fixed.test', fixedZone(caseAddress(92))),
      // Pages of both name this host; a domain that does not exist could be taken over.
      { name: 'widgets.test', records: ['cdn A 192.0.2.40'] },
    ])
    // The twin's authority is private; the scanner is given it, as an operator would.
    await writeFile(join(folder, 'authority.pem'), testbed.authority)
    flawed = await scan(testbed.flawed)
    fixed = await scan(testbed.fixed)
  },
  2 * SECONDS * 1000,
)

afterAll(async () => {
  await testbed?.close()
  await bind?.stop()
  await rm(folder, { recursive: true, force: true })
})

const scan = async (shop: RunningShop): Promise<Scanned> => {
  const { target, options } = caseContext()
  const spec: RunSpec = {
    runId: '00000000-0000-4000-8000-00000000000b',
    target: { ...target, host: shop.host },
    options,
    egress: {
      hosts: { [shop.host]: [shop.address] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [bind.resolver],
      trustAnchors: [bind.anchor],
      requestsPerSecond: 500,
      concurrency: 10,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    credentials: { cookie: null, header: null },
    now: Date.now(),
    deadline: SECONDS,
    activeRefused: null,
    completed: {},
  }
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') }
  const child = fork(SCAN_CHILD, [], { serialization: 'advanced', silent: true, execArgv: [], env })
  const overdue = setTimeout(() => child.kill('SIGKILL'), SECONDS * 1000)
  const messages: FromChild[] = []
  child.on('message', (message) => messages.push(message as FromChild))
  child.send({ type: 'start', spec })
  await once(child, 'close')
  clearTimeout(overdue)
  expect(messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
  const modules = messages.filter((message) => message.type === 'module')
  return { modules, findings: modules.flatMap(({ findings }) => findings) }
}

const zoneOf = (name: string, { records, nameservers, signed }: ShopZone): ZoneSpec => {
  const { child } = bindAddresses()
  const one = {
    ns: ['@ NS ns1', `ns1 A ${child}`],
    delegation: [`${name}. NS ns1.${name}.`, `ns1.${name}. A ${child}`],
  }
  return { name, records, ...(signed ? { sign: {} } : {}), ...(nameservers === 1 ? one : {}) }
}

const isAt = (path: string | null) => (place: Location) =>
  path === null ? place.host !== undefined : place.url !== undefined && new URL(place.url).pathname === path

const explains = ({ check, path, says }: Truth, finding: JudgedFinding): boolean =>
  finding.check_id === check &&
  [finding.location, ...finding.places].some(isAt(path)) &&
  finding.detail.includes(says ?? '')

const name = ({ check_id, location, detail }: JudgedFinding): string =>
  `${check_id} at ${location.url ?? location.host}: ${detail}`

describe('ground truth', () => {
  it('every module completes on both shops', () => {
    for (const { module, outcome } of [...flawed.modules, ...fixed.modules])
      expect(outcome.state, module).toBe('completed')
  })

  it('finds everything that is planted', () => {
    const missed = PLANTED.filter((truth) => !flawed.findings.some((finding) => explains(truth, finding)))
    const recall = (PLANTED.length - missed.length) / PLANTED.length
    process.stdout.write(
      `recall ${recall.toFixed(3)} (${PLANTED.length - missed.length} of ${PLANTED.length} planted flaws)\n`,
    )
    expect(missed).toEqual([])
  })

  it('says nothing untrue about the flawed shop, and nothing at all about its twin', () => {
    const untrue = flawed.findings.filter(
      (finding) => !CONSEQUENCES.includes(finding.check_id) && !PLANTED.some((truth) => explains(truth, finding)),
    )
    const alarms = [...untrue, ...fixed.findings].map(name)
    process.stdout.write(
      `false alarms ${alarms.length} (of ${flawed.findings.length + fixed.findings.length} findings)\n`,
    )
    expect(alarms).toEqual([])
  })

  it('shows no planted secret', () => {
    const shown = JSON.stringify([...flawed.modules].map(({ findings, coverage }) => [findings, coverage]))
    const leaked = ['fOrKOhpj5dpMq5le0ySwoaIb', 'Summer-2024!x'].filter((secret) => shown.includes(secret))
    expect(leaked).toEqual([])
  })
})
