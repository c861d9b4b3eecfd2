/** An active scan of both shops: what crawl, exposure, waf, rate-limit, sqli and xss find of what is planted, and nothing else. With SONDE_LONG=1. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../src/egress/door/create-egress.ts'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import type { JudgedFinding } from '../src/engine/judge.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { scan as runScan } from '../src/engine/scan.ts'
import type { CrawlFacts } from '../src/modules/attack/crawl/facts.ts'
import { MODULES as ALL } from '../src/modules/index.ts'
import { caseAddress } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { type RunningShop, startTestbed, type Testbed } from '../testbed/server.ts'

/** Against a hang, no measure: two whole runs side by side, beside whatever else the machine does. */
const SECONDS = 480
const MODULES = ['crawl', 'exposure', 'waf', 'rate-limit', 'sqli', 'xss']
/** Without the modules that only have to have ended before: what they find is scored elsewhere. */
const UNDER_TEST = ALL.filter(({ id }) => id === 'site' || MODULES.includes(id)).map((module) => ({
  ...module,
  needs: module.needs.filter((need) => need === 'site' || MODULES.includes(need)),
  uses: (module.uses ?? []).filter((use) => MODULES.includes(use)),
}))

interface Scanned {
  readonly findings: readonly JudgedFinding[]
  readonly crawl: CrawlFacts
  readonly text: string
}

let testbed: Testbed
let flawed: Scanned
let fixed: Scanned

beforeAll(
  async () => {
    testbed = await startTestbed({
      flawed: { host: 'shop.test', address: caseAddress(93) },
      fixed: { host: 'shop-fixed.test', address: caseAddress(94) },
    })
    const both = await Promise.all([scan(testbed.flawed), scan(testbed.fixed)])
    flawed = both[0]
    fixed = both[1]
  },
  (SECONDS + 10) * 1000,
)

afterAll(async () => {
  await testbed?.close()
})

const scan = async (shop: RunningShop): Promise<Scanned> => {
  const { target, options } = caseContext()
  const spec: RunSpec = {
    runId: '00000000-0000-4000-8000-00000000000c',
    target: { ...target, host: shop.host, tier: 'active' },
    options: { ...options, active: true },
    egress: {
      hosts: { [shop.host]: [shop.address] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [`${shop.address}:9`],
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
  const messages: FromChild[] = []
  const { signal } = new AbortController()
  await runScan(spec, {
    modules: UNDER_TEST,
    openEgress: (audit, ended, answered) =>
      createEgress({
        settings: spec.egress,
        runId: spec.runId,
        version: '0.0.0',
        target: spec.target,
        credentials: spec.credentials,
        answered,
        audit,
        signal: ended,
      }),
    launchBrowser,
    send: async (message) => {
      messages.push(message)
    },
    signal,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  expect(messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
  const modules = messages
    .filter((message) => message.type === 'module')
    .filter(({ module }) => MODULES.includes(module))
  expect(modules.map(({ outcome }) => outcome.state)).toEqual(MODULES.map(() => 'completed'))
  const times = modules.map(
    ({ module, outcome }) => `${module} ${outcome.duration_ms} ms, ${outcome.requests} requests`,
  )
  process.stdout.write(`${shop.host}: ${times.join('; ')}\n`)
  return {
    findings: modules.flatMap(({ findings }) => findings),
    crawl: modules.find(({ module }) => module === 'crawl')?.facts as CrawlFacts,
    text: JSON.stringify(modules),
  }
}

/** Check and path; the host where there is none. */
const idsOf = ({ findings }: Scanned): readonly string[] =>
  findings
    .map(({ check_id, location }) => `${check_id} ${location.url ? new URL(location.url).pathname : '-'}`)
    .toSorted()

const PLANTED: readonly string[] = [
  'crawl/api-description /openapi.json',
  'crawl/graphql-introspection /graphql',
  'exposure/credentials /.env',
  'exposure/database-dump /backup.sql',
  'exposure/repository /.git/HEAD',
  'exposure/server-status /nginx_status',
  'rate-limit/graphql-batch /graphql',
  'rate-limit/login /login',
  'sqli/boolean /workshop/parts',
  'waf/absent -',
  'xss/reflected /workshop/ticket',
]

/** The twin slows guessing down, and has no firewall either. */
const OF_THE_TWIN: readonly string[] = ['rate-limit/limit-seen /login', 'waf/absent -']

/** Method, place and name of what has to be in the inventory of both. */
const PLACES: readonly string[] = [
  'GET /search?q query q',
  'POST /login form email',
  'POST /login form password',
  'POST /contact form message',
  'POST /checkout form card_number',
  'GET /workshop/api/repairs?page query page',
  'GET /workshop/repair/{n} path 2',
  'POST /workshop/api/more json /after',
]

const placesOf = ({ crawl }: Scanned): readonly string[] =>
  crawl.points.map(({ request, place, name }) => {
    const found = crawl.requests.find(({ id }) => id === request)
    return `${found?.method} ${found?.shape.replace(/^https?:\/\/[^/]+/, '')} ${place} ${name}`
  })

describe.runIf(process.env.SONDE_LONG)('active ground truth', () => {
  it('finds everything that is planted, and nothing else', () => {
    expect(idsOf(flawed)).toEqual(PLANTED)
  })

  it('finds nothing in the twin but what is true of it', () => {
    expect(idsOf(fixed)).toEqual(OF_THE_TWIN)
  })

  it('has every place that takes a value in the inventory, in both', () => {
    const missed = [flawed, fixed].map((one) => PLACES.filter((place) => !placesOf(one).includes(place)))
    process.stdout.write(
      `places ${flawed.crawl.points.length} and ${fixed.crawl.points.length}, missed ${missed.flat().length}\n`,
    )
    expect(missed).toEqual([[], []])
    expect(placesOf(flawed)).toContain('POST /graphql json /variables/slug')
    expect(placesOf(flawed)).toContain('GET /stock/{n}?unit query unit')
  })

  it('has sent no order, message or logout, and shows no planted secret', () => {
    for (const { crawl } of [flawed, fixed]) {
      const sent = crawl.requests.filter(({ method, sent: was }) => method !== 'GET' && was)
      const paths = new Set(sent.map(({ url }) => new URL(url).pathname).filter((path) => !path.endsWith('graphql')))
      // What no word forbids is sent once, with the values of its page, to learn what it does.
      expect([...paths.difference(new Set(['/login', '/help', '/workshop/api/more']))]).toEqual([])
    }
    expect(flawed.text).not.toContain('Summer-2024!x')
  })
})
