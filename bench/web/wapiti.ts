/**
 * Debian's wapiti over sites of the cases, one careless and one careful, with a session, the modules that look for the same flaws and
 * its own defaults. It tests parameters of links and forms; what else takes a value (paths, headers, JSON) it cannot be given.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type Entry, siteOf } from '../../testbed/web/site/plan.ts'
import type { PeerPage } from './kept.ts'
import type { Asked } from './ours.ts'
import type { Peer } from './peers.ts'
import { sessionAt, startTarget } from './target.ts'

const PATH = '/usr/bin/wapiti'
/** The module that waits is called `blindsql` up to 3.0.x and `timesql` later. */
const MODULES = ['xss', 'sql', 'permanentxss', 'exec', 'file', 'redirect', 'crlf', 'xxe']
const WAITING = ['timesql', 'blindsql']

/** Its categories, by our classes. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  'SQL Injection': ['sqli', 'ldap', 'xpath'],
  'Blind SQL Injection': ['sqli'],
  'Cross Site Scripting': ['xss', 'dom-xss', 'html', 'stored'],
  'Reflected Cross Site Scripting': ['xss', 'dom-xss', 'html', 'stored'],
  'Stored Cross Site Scripting': ['xss', 'dom-xss', 'html', 'stored'],
  'Command execution': ['command', 'code', 'template'],
  'Path Traversal': ['traversal'],
  'Open Redirect': ['redirect'],
  'CRLF Injection': ['header'],
  'XML External Entity': ['xxe'],
  XXE: ['xxe'],
}
/** What its modules look for, for a comparison without the classes that only we have. */
const CLASSES = ['sqli', 'xss', 'stored', 'redirect', 'header', 'command', 'code', 'traversal', 'xxe']

const Report = z.object({ vulnerabilities: z.record(z.string(), z.array(z.object({ path: z.string() }))) })

/** Seconds a page and twin at most. */
const LONGEST = 90

export const wapiti: Peer = {
  name: 'wapiti',
  path: PATH,
  hint: 'apt-get install wapiti',
  atOnce: 10,
  reaches: (entry) => ['query', 'form', 'multipart'].includes(entry.case.place),
  looksFor: (entry) => CLASSES.includes(entry.case.class),
  scan: async (entries, asked) => {
    const began = performance.now()
    const careless = await scanTwin(entries, true, asked)
    const careful = await scanTwin(entries, false, asked)
    const ms = (performance.now() - began) / entries.length
    return entries.map((one): PeerPage => {
      const { id } = one.case
      const hits = hitsOn(one, careless.said)
      return {
        id,
        found: hits.filter(({ right }) => right).map(({ category }) => category),
        wrong: [
          ...hits.filter(({ right }) => !right).map(({ category }) => `careless/${id}: ${category}`),
          ...hitsOn(one, careful.said).map(({ category }) => `careful/${id}: ${category}`),
        ],
        requests: { careless: careless.counts.get(id) ?? 0, careful: careful.counts.get(id) ?? 0 },
        ms,
        cut: careless.cut || careful.cut,
      }
    })
  },
}

interface Twin {
  readonly said: Said
  readonly counts: ReadonlyMap<string, number>
  readonly cut: boolean
}

const scanTwin = async (entries: readonly Entry[], careless: boolean, asked: Asked): Promise<Twin> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-wapiti-'))
  const target = await startTarget(siteOf(entries, careless), asked.around, asked.jitter)
  try {
    const cut = await run(folder, target.address, entries.length * LONGEST)
    // A report is written at the end only.
    return { said: cut ? {} : await reportIn(folder), counts: target.counts, cut }
  } finally {
    await target.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Said = z.infer<typeof Report>['vulnerabilities']

/** True where it was ended by the clock. */
const run = async (folder: string, address: string, seconds: number): Promise<boolean> => {
  const env = { ...process.env, HOME: folder }
  const { stdout } = await promisify(execFile)(PATH, ['--list-modules'], { timeout: 60_000, env })
  const waiting = WAITING.filter((name) => new RegExp(`^\\s${name}\\b`, 'm').test(stdout))
  if (waiting.length !== 1) throw new Error('this wapiti has no module that waits for a database')
  const url = `http://${address}/`
  const session = await sessionAt(address)
  try {
    await promisify(execFile)(
      PATH,
      [
        ...['-u', url, '--scope', 'folder', '-m', [...MODULES, ...waiting].join(','), '-f', 'json', '-v', '0'],
        ...['-o', join(folder, 'report.json'), '--flush-session', '--no-bugreport', '--endpoint', url],
        ...['--exclude', `${url}sign-out`, '-H', `Cookie: ${session}`],
        ...['--max-links-per-page', '5000', '--store-session', folder, '--store-config', folder],
      ],
      { timeout: seconds * 1_000, maxBuffer: 64 * 2 ** 20, env },
    )
    return false
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed === true) return true
    throw error
  }
}

const reportIn = async (folder: string): Promise<Said> =>
  Report.parse(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).vulnerabilities

const hitsOn = (
  { path, case: one }: Entry,
  said: Said,
): readonly { readonly category: string; readonly right: boolean }[] =>
  Object.entries(said).flatMap(([category, hits]) =>
    hits
      .filter((hit) => hit.path.split('?')[0] === path)
      .map(() => ({ category, right: MEANS[category]?.includes(one.class) === true })),
  )
