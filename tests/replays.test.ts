/**
 * What is confirmed can be seen again by a stranger who has the report alone: a shell that runs its commands is answered what the proof says, and
 * in a browser that knows nothing of us the script runs.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JudgedFinding, judgeModule } from '../src/engine/judge.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { SCORED, scoreCases } from '../testbed/web/score.ts'
import { serveCases } from '../testbed/web/server.ts'
import { closeSurroundings, type OpenSurroundings, openSurroundings } from '../testbed/web/surroundings.ts'
import { PROGRAM } from './support/web-app.ts'

const run = promisify(execFile)

/** One page of each way to prove, from every place of a request. */
const BY_SHELL = [
  ...['sqlite-number-shown', 'sqlite-text-hidden', 'sqlite-at-json', 'sqlite-at-multipart', 'sqlite-at-cookie'],
  ...['command-bare', 'code-javascript-single', 'template-braces', 'path-joined', 'xml-entity', 'ldap-filter'],
  ...['xpath-single', 'nosql-form', 'template-braces-at-path', 'command-double-quoted-at-xml', 'redirect-plain'],
  ...['head-any-break'],
]
const BY_BROWSER = [
  ...['xss-text', 'xss-script-single', 'fragment-markup', 'dom-query', 'dom-window-name', 'dom-message-text'],
  ...['dom-referrer', 'dom-storage', 'dom-cookie'],
]

let folder: string
let around: OpenSurroundings
let server: CaseServers
let others: CaseServers
let browser: Browser
/** What a page of some other site holds. */
let elsewhere = ''
const found: JudgedFinding[] = []

beforeAll(async () => {
  const cases = WEB_CASES.filter(({ id }) => [...BY_SHELL, ...BY_BROWSER].includes(id))
  folder = await mkdtemp(join(tmpdir(), 'sonde-replays-'))
  around = await openSurroundings(folder)
  server = await serveCase(77, { http: serveCases(cases, around) })
  others = await serveCase(78, {
    http: (_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(elsewhere),
  })
  await writeFile(join(folder, '.curlrc'), `resolve = "shop.test:80:${server.address}"\n`)
  for (const module of ['sqli', 'injection', 'xss'] as const) {
    const { seen } = await scoreCases(module, cases, server.address)
    found.push(...judgeModule(SCORED[module], seen.facts, seen.known, caseContext()).findings)
  }
  const names = `MAP shop.test ${server.address}, MAP *.example ${others.address}, MAP other.test ${others.address}`
  browser = await chromium.launch({
    executablePath: PROGRAM,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--host-resolver-rules=${names}`, '--no-proxy-server'],
  })
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await others?.close()
  await server?.close()
  if (around) await closeSurroundings(around)
  await rm(folder, { recursive: true, force: true })
})

const provenAt = (id: string): readonly JudgedFinding[] => {
  const own = found.filter(
    ({ confidence, location: { url } }) =>
      confidence === 'confirmed' && new URL(url ?? '').pathname.split('/')[2] === id,
  )
  expect(own).not.toEqual([])
  return own
}

/** Without what the page changes by itself. */
const steady = (text: string): string =>
  text.replace(/^Date: .*|content="[\da-f-]{36}"|Served \S+/gm, '').replaceAll(/qx?[a-z]{6,}/g, '')

const answersTo = (replay: string): Promise<readonly string[]> =>
  Promise.all(
    replay.split(/\n(?=curl )/).map(async (command) => {
      const { stdout } = await run('/bin/bash', ['-c', command], { env: { ...process.env, CURL_HOME: folder } })
      expect(stdout).toMatch(/^HTTP\/1\.1 \d/)
      return steady(stdout)
    }),
  )

/** Where no answer holds a mark, one to what is true differs from one to what is false. */
test.each(BY_SHELL)('by a shell: %s', async (id) => {
  for (const { check_id, proof } of provenAt(id)) {
    const answers = await answersTo(proof?.replay ?? '')
    const mark = proof?.mark ?? null
    const shows = mark !== null && answers.some((text) => text.includes(mark))
    expect(shows || new Set(answers).size > 1, `${check_id}: ${proof?.replay}`).toBe(true)
  }
})

/** Does what the report says, in the words in which it says so. */
const follow = async (page: Page, replay: string): Promise<void> => {
  const [, stored = null, code = ''] =
    /^Open (\S+), run this in its console, and load it again:\n(.*)$/s.exec(replay) ?? []
  const [, click = ''] = /(?:with this in it|and click).*?:\n(.*)$/s.exec(replay) ?? []
  if (stored !== null) {
    await page.goto(stored)
    await page.evaluate(code)
    await page.reload()
  } else if (click !== '') {
    elsewhere = `<!doctype html><body>${click}`
    const isPressed = replay.includes('and click')
    // What shows a dialog by itself is never loaded to its end; what is to be pressed has to be there.
    await page.goto(/Open a page at (.+?) or any other site/.exec(replay)?.[1] ?? 'http://other.test/', {
      waitUntil: isPressed ? 'load' : 'commit',
    })
    if (isPressed) await page.mouse.click(40, 40)
  } else await page.goto(replay.replace(/^Open this address:\n/, ''), { waitUntil: 'commit' })
}

/** Milliseconds in which a dialog has come. */
const PATIENCE = 8_000
const MOST_TRIES = 4

test.each(BY_BROWSER)(
  'by a browser: %s',
  async (id) => {
    for (const { proof } of provenAt(id)) {
      const replay = proof?.replay ?? ''
      const context = await browser.newContext()
      try {
        const ran = Promise.withResolvers<string>()
        context.on('dialog', (dialog) => {
          ran.resolve(dialog.message())
          void dialog.accept().catch(() => undefined) // Gone with its page.
        })
        // The page that is opened has a moment before it is sent something: on a busy machine somebody would try it again.
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          await follow(await context.newPage(), replay)
          if (await Promise.race([ran.promise.then(() => true), delay(PATIENCE, false)])) break
        }
        expect(replay.replaceAll('%28', '(').replaceAll('%29', ')')).toContain(`alert(${await ran.promise})`)
      } finally {
        await context.close()
      }
    }
  },
  90_000,
)
