/** `./run` alone, as its first user meets it; to the end of its run with SONDE_LONG=1. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyTemplate } from './support/databases.ts'
import { type Env, sonde } from './support/sonde.ts'
import { until } from './support/until.ts'

const ENTRY = fileURLToPath(new URL('../src/main/cli.ts', import.meta.url))
/** Milliseconds for a whole run with its report, against a hang: on a busy machine it took 340,000. */
const WHOLE_RUN = 900_000

let data = ''
let env: Env = {}
beforeEach(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'sonde-demo-')), 'data')
  // Nobody waits for a polite pace here: the shop is ours.
  env = { SONDE_DATA: data, SONDE_TARGET_REQUESTS_PER_SECOND: '200', SONDE_TARGET_CONNECTIONS: '20' }
  await copyTemplate(data)
  chmodSync(data, 0o700)
})
afterEach(() => rmSync(join(data, '..'), { recursive: true, force: true }))

describe('the demo', () => {
  const oneObject = '--once --json: one object; every file lies where it says, with its size'
  test.runIf(process.env.SONDE_LONG)(oneObject, { timeout: WHOLE_RUN }, async () => {
    const { code, out, err } = await sonde(['demo', '--once', '--json', '--port', '0'], env, { deadline: WHOLE_RUN })
    expect(code, err).toBe(0)
    const result = JSON.parse(out)
    expect(result.run).toMatchObject({ status: 'done', tier: 'active', context: 'shop', progress: 100 })
    expect(result.findings.length).toBeGreaterThan(20)
    const kinds = result.artifacts.map((file: { kind: string }) => file.kind)
    expect(kinds).toEqual(expect.arrayContaining(['report_pdf', 'findings_json', 'audit_log', 'evidence']))
    for (const file of result.artifacts) expect(statSync(file.path).size, file.path).toBe(file.size_bytes)
    const file = result.artifacts.find((each: { kind: string }) => each.kind === 'findings_json')
    expect(JSON.parse(readFileSync(file.path, 'utf8')).counts).toEqual(result.run.counts)
  })

  // As long again as the first: what it says is tested in parts with the report and the worker.
  test.runIf(process.env.SONDE_LONG)(
    'without TeX and without a browser: done all the same, on one screen, with a sentence and no crash',
    {
      timeout: WHOLE_RUN,
    },
    async () => {
      const bare = { ...env, PATH: '/nonexistent', NO_COLOR: '1', SONDE_CHROMIUM: '/nonexistent' }
      const { code, out, err } = await sonde(['demo', '--once', '--port', '0'], bare, { deadline: WHOLE_RUN })
      expect(code, err).toBe(0)
      expect(out).toMatch(/Report +no PDF: The PDF report needs (?:xelatex|prlimit)/)
      expect(out).toMatch(/^ +\d+ {2}.*no Chromium is installed; see "sonde doctor"$/m)
      // The log of a service at work stands between the lines of the drawing.
      expect(err).not.toMatch(/"level":/)
      expect(out).toMatch(/Fix first/)
      expect(out).not.toMatch(/HIGH \(\d+\)/)
      const folder = /^Files +(.+)$/m.exec(out)?.[1] ?? ''
      expect(readFileSync(join(folder, 'findings.txt'), 'utf8')).toMatch(/HIGH \(\d+\)/)
      expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<title>Security report')
      expect(`${out}${err}`).not.toMatch(/^\s+at .*\.ts:\d+/m)
    },
  )

  test('Ctrl-C in the middle of a run: ends soon, leaves nothing running', { timeout: WHOLE_RUN }, async () => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY, 'demo', '--port', '0'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
    })
    child.stderr.resume()
    await until(() => out.includes('discover'), 60_000)
    const children = childrenOf(child.pid ?? 0)
    expect(children.length).toBeGreaterThan(1)
    child.kill('SIGINT')
    const asked = Date.now()
    await once(child, 'exit')
    // Far below the time of a run, however busy the machine is.
    expect(Date.now() - asked).toBeLessThan(30_000)
    expect(child.signalCode).toBeNull()
    await until(() => children.every((pid) => !isAlive(pid)))
    // The folder is free again, and the run waits for the next start.
    const again = await sonde(['org', 'list'], env)
    expect(again).toMatchObject({ code: 0, err: '' })
  })
})

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)

const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // No such process any more.
    return false
  }
}
