/**
 * Debian's wapiti over a page that links to the cases, with the modules that look for the same flaws and its own defaults.
 * It tests parameters of links and forms; what else takes a value (paths, headers, JSON) it cannot be given.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { WebCase } from '../../testbed/web/case.ts'
import type { PeerPage } from './kept.ts'
import type { Peer } from './peers.ts'
import type { Target } from './target.ts'

const PATH = '/usr/bin/wapiti'
/** The module that waits is called `blindsql` up to 3.0.x and `timesql` later. */
const MODULES = ['xss', 'sql', 'permanentxss', 'exec', 'file', 'redirect', 'crlf', 'xxe']
const WAITING = ['timesql', 'blindsql']

/** Its categories, by the beginning of what we would call it. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  'SQL Injection': ['sqli/', 'injection/ldap', 'injection/xpath'],
  'Blind SQL Injection': ['sqli/'],
  'Cross Site Scripting': ['xss/'],
  'Reflected Cross Site Scripting': ['xss/'],
  'Stored Cross Site Scripting': ['xss/'],
  'Command execution': ['injection/command', 'injection/code', 'injection/template'],
  'Path Traversal': ['injection/path-traversal', 'injection/file-inclusion'],
  'Open Redirect': ['xss/open-redirect'],
  'CRLF Injection': ['xss/header-injection'],
  'XML External Entity': ['injection/xml-external-entity'],
  XXE: ['injection/xml-external-entity'],
}
/** What its modules look for, for a comparison without the classes that only we have. */
const CLASSES =
  /^(?:sqli\/|xss\/(?:reflected|stored|open-redirect|header-injection)|injection\/(?:command|code|path-traversal|file-inclusion|xml-external-entity))/

const Report = z.object({ vulnerabilities: z.record(z.string(), z.array(z.object({ path: z.string() }))) })

/** Seconds a page and twin at most. */
const LONGEST = 90

export const wapiti: Peer = {
  name: 'wapiti',
  path: PATH,
  hint: 'apt-get install wapiti',
  atOnce: 10,
  reaches: ({ place }) => place === 'query' || place === 'form' || place === 'multipart',
  looksFor: ({ finds }) => finds.some((one) => CLASSES.test(one)),
  scan: async (cases, target) => {
    const folder = await mkdtemp(join(tmpdir(), 'sonde-wapiti-'))
    target.list(cases)
    target.counts()
    const began = performance.now()
    try {
      const cut = await run(folder, target, cases.length * 2 * LONGEST)
      // A report is written at the end only.
      const said = cut ? {} : await reportIn(folder)
      const counts = target.counts()
      const ms = (performance.now() - began) / cases.length
      return cases.map((one): PeerPage => {
        const hits = hitsOn(one, said)
        return {
          id: one.id,
          found: hits.filter(({ right }) => right).map(({ category }) => category),
          wrong: hits.filter(({ right }) => !right).map(({ category, twin }) => `${twin}/${one.id}: ${category}`),
          requests: { careless: counts.get(`careless/${one.id}`) ?? 0, careful: counts.get(`careful/${one.id}`) ?? 0 },
          ms,
          cut,
        }
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

type Said = z.infer<typeof Report>['vulnerabilities']

/** True where it was ended by the clock. */
const run = async (folder: string, { address }: Target, seconds: number): Promise<boolean> => {
  const env = { ...process.env, HOME: folder }
  const { stdout } = await promisify(execFile)(PATH, ['--list-modules'], { timeout: 60_000, env })
  const waiting = WAITING.filter((name) => new RegExp(`^\\s${name}\\b`, 'm').test(stdout))
  if (waiting.length !== 1) throw new Error('this wapiti has no module that waits for a database')
  const url = `http://${address}/`
  try {
    await promisify(execFile)(
      PATH,
      [
        ...['-u', url, '--scope', 'folder', '-m', [...MODULES, ...waiting].join(','), '-f', 'json', '-v', '0'],
        ...['-o', join(folder, 'report.json'), '--flush-session', '--no-bugreport', '--endpoint', url],
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
  { id, finds }: WebCase,
  said: Said,
): readonly { readonly category: string; readonly twin: string; readonly right: boolean }[] =>
  Object.entries(said).flatMap(([category, hits]) =>
    hits.flatMap(({ path }) => {
      const [, twin = '', page] = path.split('/')
      if (page !== id) return []
      const means = MEANS[category] ?? []
      return [
        { category, twin, right: twin === 'careless' && means.some((one) => finds.some((id) => id.startsWith(one))) },
      ]
    }),
  )
