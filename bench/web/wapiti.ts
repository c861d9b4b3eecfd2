/** Debian's wapiti over a page that links to the cases, with the modules that look for the same flaws. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { WebCase } from '../../testbed/web/case.ts'
import type { Scores } from './scores.ts'
import type { Target } from './target.ts'

export const WAPITI = { path: '/usr/bin/wapiti', hint: 'apt-get install wapiti' }
const MODULES = 'xss,sql,timesql,permanentxss,exec,file,redirect,crlf,xxe'
/** Its categories, by the beginning of what we would call it. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  'SQL Injection': ['sqli/'],
  'Blind SQL Injection': ['sqli/'],
  'Cross Site Scripting': ['xss/'],
  'Reflected Cross Site Scripting': ['xss/'],
  'Stored Cross Site Scripting': ['xss/'],
  'Command execution': ['injection/command', 'injection/code', 'injection/template'],
  'Path Traversal': ['injection/path-traversal'],
  'Open Redirect': ['xss/open-redirect'],
  'CRLF Injection': ['xss/header-injection'],
  XXE: ['injection/xml-external-entity'],
}

const Report = z.object({ vulnerabilities: z.record(z.string(), z.array(z.object({ path: z.string() }))) })

/** Null where it is not installed. `seconds` ends it, with what it has found by then. */
export const scanWapiti = async (
  cases: readonly WebCase[],
  target: Target,
  seconds: number,
): Promise<Scores | null> => {
  if (!existsSync(WAPITI.path)) return null
  const folder = await mkdtemp(join(tmpdir(), 'sonde-wapiti-'))
  const report = join(folder, 'report.json')
  target.list(cases)
  target.counts()
  const began = performance.now()
  try {
    const address = `http://${target.address}/`
    await promisify(execFile)(
      WAPITI.path,
      [
        ...['-u', address, '--scope', 'folder', '-m', MODULES, '-f', 'json', '-o', report, '-v', '0'],
        ...['--flush-session', '--no-bugreport', '--endpoint', address, '--max-links-per-page', '5000'],
        ...['--store-session', folder, '--store-config', folder, '--max-scan-time', String(seconds), '-t', '12'],
      ],
      { timeout: (seconds + 120) * 1_000, maxBuffer: 64 * 2 ** 20, env: { ...process.env, HOME: folder } },
    )
    const { vulnerabilities } = Report.parse(JSON.parse(await readFile(report, 'utf8')))
    const found = new Map<string, string[]>()
    const wrong: string[] = []
    for (const [category, hits] of Object.entries(vulnerabilities)) {
      for (const { path } of hits) {
        const [, twin, id = ''] = path.split('/')
        const finds = cases.find((one) => one.id === id)?.finds ?? []
        const right =
          twin === 'careless' && (MEANS[category] ?? []).some((means) => finds.some((one) => one.startsWith(means)))
        if (right) found.set(id, [...(found.get(id) ?? []), category])
        else wrong.push(`${path}: ${category}`)
      }
    }
    return { found, wrong, counts: target.counts(), ms: performance.now() - began }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
