/**
 * The privacy check beside Blacklight's collector (npm), on the same pages of our testbed in one run: what each finds, and how
 * long it takes. Ours opens four states, theirs one. The peer is installed into a scratch folder, its scripts are not run, and
 * its Chromium is Debian's, as ours. Names of sites as arguments choose among them.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from '../src/engine/browser/programs.ts'
import { openFilters } from '../src/knowledge/trackers/filters/list.ts'
import { TIMES } from '../src/modules/privacy/visit/times.ts'
import { hostOf, type PrivacyPage } from '../testbed/privacy/page.ts'
import { PRIVACY_PAGES } from '../testbed/privacy/pages.ts'
import { type PrivacyTestbed, startPrivacyTestbed } from '../testbed/privacy/server.ts'
import { watchProcesses } from '../tests/privacy/processes.ts'
import { judge, visit } from '../tests/privacy/visit.ts'
import { percentile, publish, row } from './table.ts'

const PEER = '@themarkup/blacklight-collector@3.11.0'
const INSTALL_SECONDS = 240
const PEER_SECONDS = 90
/** One page for each thing that the peer looks for, and twins. */
const CHOSEN = process.argv.slice(2)
const PAGES =
  CHOSEN.length > 0
    ? CHOSEN
    : [
        ...[
          'canvas-text',
          'canvas-emoji',
          'fonts-measured',
          'keys-fetch',
          'keys-hashed',
          'keys-own-search',
          'dialog-none',
        ],
        ...['pixel-meta-early', 'pixels-many-early', 'recorder-early', 'cdn-plain'],
      ]

const address = `127.79.${process.pid % 250}.2`
const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-privacy-'))

/** Of `words` what they say of a page: "canvas", "cookie _ga", "tracker www.facebook.com". */
type Found = ReadonlySet<string>

const ours = async (testbed: PrivacyTestbed, page: PrivacyPage): Promise<{ found: Found; seconds: number }> => {
  const { facts, seconds } = await visit(testbed, page, TIMES)
  const { said } = judge(facts)
  const named = new Map([
    ['fingerprint-canvas', 'canvas'],
    ['fingerprint-fonts', 'fonts'],
    ['key-capture', 'keys'],
  ])
  const contacts = facts.states.flatMap((state) => state.contacts)
  return {
    seconds,
    found: new Set([
      ...said.flatMap(({ id }) => named.get(id) ?? []),
      ...facts.states.flatMap(({ cookies }) => cookies.map(({ name }) => `cookie ${name}`)),
      ...contacts.flatMap(({ pixel }) => (pixel ? [`pixel ${pixel.vendor}`] : [])),
      ...facts.parties.flatMap(({ vendor }) => (vendor?.purposes.includes('session-recording') ? ['recorder'] : [])),
      // With the vendor or without: who was contacted is in the table either way.
      ...contacts.map(({ host }) => `tracker ${host}`),
    ]),
  }
}

interface PeerReport {
  readonly canvas_fingerprinters?: { readonly fingerprinters: readonly string[] }
  readonly canvas_font_fingerprinters?: { readonly canvas_font: object; readonly text_measure: object }
  readonly cookies?: readonly { readonly name: string }[]
  readonly key_logging?: object
  readonly session_recorders?: object
  readonly fb_pixel_events?: readonly unknown[]
  readonly tiktok_pixel_events?: readonly unknown[]
  readonly twitter_pixel_events?: readonly unknown[]
  readonly google_analytics_events?: readonly unknown[]
  readonly third_party_trackers?: readonly { readonly url: string }[]
  readonly behaviour_event_listeners?: object
}

const install = (): boolean => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const done = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', PEER], {
    cwd: folder,
    stdio: 'inherit',
    timeout: INSTALL_SECONDS * 1000,
    env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1' },
  })
  writeFileSync(
    join(folder, 'run.cjs'),
    `const { collect } = require('@themarkup/blacklight-collector')
const [url, address, program, out] = process.argv.slice(2)
collect(url, { outDir: out, saveScreenshots: false, puppeteerExecutablePath: program,
  extraChromiumArgs: ['--disable-features=TrackingProtection3pcd', '--host-resolver-rules=MAP * ' + address] })
  .then((result) => { require('node:fs').writeFileSync(out + '.json', JSON.stringify(result.reports)); process.exit(0) },
    (error) => { console.error(error); process.exit(1) })
`,
  )
  return done.status === 0
}

const theirs = async (page: PrivacyPage, program: string): Promise<{ found: Found; seconds: number }> => {
  const out = join(folder, page.name)
  const start = performance.now()
  const child = spawn(process.execPath, ['run.cjs', `https://${hostOf(page)}/`, address, program, out], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: PEER_SECONDS * 1000,
  })
  await once(child, 'close')
  const seconds = (performance.now() - start) / 1000
  if (child.exitCode !== 0) throw new Error(`the peer ended with ${child.exitCode ?? child.signalCode} on ${page.name}`)
  const report = JSON.parse(readFileSync(`${out}.json`, 'utf8')) as PeerReport
  const some = (value: object | undefined): boolean => Object.keys(value ?? {}).length > 0
  return {
    seconds,
    found: new Set([
      ...(some(report.canvas_fingerprinters?.fingerprinters) ? ['canvas'] : []),
      ...(some(report.canvas_font_fingerprinters?.canvas_font) ? ['fonts'] : []),
      ...(some(report.key_logging) ? ['keys'] : []),
      ...(some(report.session_recorders) ? ['recorder'] : []),
      ...(some(report.fb_pixel_events) ? ['pixel meta-pixel'] : []),
      ...(some(report.tiktok_pixel_events) ? ['pixel tiktok'] : []),
      ...(some(report.twitter_pixel_events) ? ['pixel x-ads'] : []),
      ...(some(report.google_analytics_events) ? ['pixel google-analytics'] : []),
      ...(report.cookies ?? []).map(({ name }) => `cookie ${name}`),
      ...(report.third_party_trackers ?? []).map(({ url }) => `tracker ${new URL(url).hostname}`),
    ]),
  }
}

const program = await findBrowser(process.env)
if (program === null) throw new Error('Chromium is missing')
const peerThere = install()
const testbed = await startPrivacyTestbed(address, PRIVACY_PAGES)
const [times, theirTimes]: [number[], number[]] = [[], []]
const missed: string[] = []
let [count, theirCount] = [0, 0]
let peak = 0
try {
  for (const page of PRIVACY_PAGES.filter(({ name }) => PAGES.includes(name))) {
    const watch = watchProcesses()
    const mine = await ours(testbed, page).finally(watch.stop)
    times.push(mine.seconds)
    count += mine.found.size
    peak = Math.max(peak, watch.peak())
    if (!peerThere) continue
    const other = await theirs(page, program)
    theirTimes.push(other.seconds)
    theirCount += other.found.size
    const without = [...other.found].filter((one) => !mine.found.has(one))
    missed.push(...without.map((one) => `${page.name}: ${one}`))
    const more = [...mine.found].filter((one) => !other.found.has(one))
    process.stdout.write(
      `${page.name} (${mine.seconds.toFixed(1)} s, ${other.seconds.toFixed(1)} s)\n  both: ${[...other.found].filter((one) => mine.found.has(one)).join(', ') || '-'}\n  only ours: ${more.join(', ') || '-'}\n  only theirs: ${without.join(', ') || '-'}\n`,
    )
  }
} finally {
  await testbed.close()
}

/** The list that the peer brings along, asked by our engine. */
const listTime = (): number => {
  const text = readFileSync(
    join(folder, 'node_modules/@themarkup/blacklight-collector/data/blocklists/easyprivacy.txt'),
    'utf8',
  )
  const listed = openFilters([{ name: 'easyprivacy', text }])
  const start = performance.now()
  for (let turn = 0; turn < 1_000; turn += 1)
    listed({ url: `https://host${turn}.test/collect/a.js?x=${turn}`, page: 'https://shop.test/', type: 'script' })
  return performance.now() - start
}
const perThousand = peerThere ? listTime() : Number.NaN
rmSync(folder, { recursive: true, force: true })

const sum = (seconds: readonly number[]): number => seconds.reduce((all, one) => all + one, 0)
const peer = (value: number) => ({
  name: 'blacklight-collector',
  value: peerThere ? value : null,
  hint: `npm install ${PEER}`,
})
if (missed.length > 0) process.stdout.write(`missed: ${missed.join('; ')}\n`)
publish('privacy', [
  row({ id: 'pages', what: 'pages of the testbed', unit: '', ours: times.length }),
  row({
    id: 'found',
    what: 'facts found: fingerprints, keys, cookies, pixels, hosts',
    unit: '',
    ours: count,
    peer: peer(theirCount),
  }),
  row({
    id: 'missed',
    what: 'found by the peer and not by us',
    unit: '',
    ours: missed.length,
    target: { text: '0', met: (n) => (peerThere ? n === 0 : null) },
  }),
  row({
    id: 'time',
    what: 'one site, ours in four states, p50',
    unit: 's',
    ours: percentile(times, 0.5),
    peer: peer(percentile(theirTimes, 0.5)),
    target: { text: 'less than the peer', met: (_n, ratio) => (ratio === null ? null : ratio < 1) },
  }),
  row({
    id: 'whole',
    what: 'all sites one after the other',
    unit: 's',
    ours: sum(times),
    peer: peer(sum(theirTimes)),
    target: { text: 'less than the peer', met: (_n, ratio) => (ratio === null ? null : ratio < 1) },
  }),
  row({
    id: 'longest',
    what: 'one site, longest',
    unit: 's',
    ours: Math.max(...times),
    peer: peer(Math.max(...theirTimes)),
    target: { text: '< 45 s', met: (n) => n < 45 },
  }),
  row({
    id: 'memory',
    what: 'Chromium and helpers at their highest',
    unit: 'MB',
    ours: peak / 1e6,
    target: { text: '< 1,200 MB', met: (n) => n < 1_200 },
  }),
  row({ id: 'filters', what: '1,000 requests asked of the peer’s EasyPrivacy', unit: 'ms', ours: perThousand }),
])
