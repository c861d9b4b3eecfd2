/**
 * Debian's sqlmap at each SQL case in turn, pointed at the place. Level 3 is the first that tries the quotes, parentheses and
 * places (cookies, Referer) that we try; everything else is its default.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WebCase } from '../../testbed/web/case.ts'
import { inventoryOf, type Twin } from '../../testbed/web/inventory.ts'
import type { Scores } from './scores.ts'
import type { Target } from './target.ts'

export const SQLMAP = { path: '/usr/bin/sqlmap', hint: 'apt-get install sqlmap' }
const AT_ONCE = 2
/** Milliseconds for one page. */
const LONGEST = 180_000

export const scanSqlmap = async (all: readonly WebCase[], target: Target): Promise<Scores | null> => {
  if (!existsSync(SQLMAP.path)) return null
  const cases = all.filter(({ module }) => module === 'sqli')
  const found = new Map<string, string[]>()
  const wrong: string[] = []
  target.counts()
  const began = performance.now()
  const jobs = (['careless', 'careful'] as const).flatMap((twin) => cases.map((one) => ({ one, twin })))
  const worker = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { one, twin } = job
      if (!(await isInjectable(one, twin, target.address))) continue
      if (twin === 'careless') found.set(one.id, ['sqli'])
      else wrong.push(`${twin}/${one.id}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { found, wrong, counts: target.counts(), ms: performance.now() - began }
}

const isInjectable = async (one: WebCase, twin: Twin, address: string): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-sqlmap-'))
  try {
    const { stdout } = await promisify(execFile)(
      SQLMAP.path,
      [...placeOf(one, twin, address), '--batch', '--level', '3', '--disable-coloring', '--output-dir', folder],
      { timeout: LONGEST, maxBuffer: 16 * 2 ** 20, env: { ...process.env, HOME: folder } },
    )
    return /sqlmap identified the following injection point/.test(stdout)
  } catch (error) {
    // Out of time: it has not found anything by then.
    if (error instanceof Error && 'killed' in error && error.killed === true) return false
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Every place is marked with a star, so that no level keeps it out. */
const placeOf = (one: WebCase, twin: Twin, address: string): readonly string[] => {
  const [request] = inventoryOf([one], `http://${address}`, twin).requests
  if (!request) throw new Error(`${one.id} has no request`)
  const { url, fields, body } = request
  const star = `${one.value}*`
  switch (one.place) {
    case 'query':
      return ['-u', url.replace(`q=${encodeURIComponent(one.value)}`, `q=${encodeURIComponent(one.value)}*`)]
    case 'path':
      return ['-u', `${url}*`]
    case 'form':
      return ['-u', url, '--data', fields.map(({ name, value }) => `${name}=${name === 'q' ? star : value}`).join('&')]
    case 'json':
      return [
        '-u',
        url,
        '--data',
        (body ?? '').replace(`"${one.value}"`, `"${star}"`),
        '-H',
        'Content-Type: application/json',
      ]
    case 'xml':
      return [
        '-u',
        url,
        '--data',
        (body ?? '').replace(`>${one.value}<`, `>${star}<`),
        '-H',
        'Content-Type: application/xml',
      ]
    case 'multipart':
      return ['-u', url, '--data', multipart(fields, star), '-H', 'Content-Type: multipart/form-data; boundary=b0']
    case 'cookie':
      return ['-u', url, '--cookie', `q=${star}`]
    case 'header':
      return ['-u', url, '-H', `Referer: ${star}`]
  }
}

const multipart = (fields: readonly { readonly name: string; readonly value: string }[], star: string): string =>
  `${fields.map(({ name, value }) => `--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${name === 'q' ? star : value}\r\n`).join('')}--b0--\r\n`
