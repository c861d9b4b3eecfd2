/**
 * Debian's sqlmap at each SQL case in turn, pointed at the place. Level 3 is the first that tries the quotes, parentheses and
 * places (cookies, Referer) that we try; everything else is its default.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WebCase } from '../../testbed/web/case.ts'
import { inventoryOf, type Twin } from '../../testbed/web/inventory.ts'
import type { PeerPage } from './kept.ts'
import type { Peer } from './peers.ts'
import type { Target } from './target.ts'

const PATH = '/usr/bin/sqlmap'
/** Milliseconds for one page. */
const LONGEST = 300_000

export const sqlmap: Peer = {
  name: 'sqlmap',
  path: PATH,
  hint: 'apt-get install sqlmap',
  atOnce: 1,
  reaches: ({ module }) => module === 'sqli',
  looksFor: () => true,
  scan: async (cases, target) => {
    const pages: PeerPage[] = []
    for (const one of cases) pages.push(await scanPage(one, target))
    return pages
  },
}

/** Both twins side by side: it waits more than it works. */
const scanPage = async (one: WebCase, target: Target): Promise<PeerPage> => {
  target.counts()
  const began = performance.now()
  const [careless, careful] = await Promise.all([
    outcomeOf(one, 'careless', target.address),
    outcomeOf(one, 'careful', target.address),
  ])
  const counts = target.counts()
  return {
    id: one.id,
    found: careless === 'injectable' ? ['sqli'] : [],
    wrong: careful === 'injectable' ? [`careful/${one.id}: sqli`] : [],
    requests: { careless: counts.get(`careless/${one.id}`) ?? 0, careful: counts.get(`careful/${one.id}`) ?? 0 },
    ms: performance.now() - began,
    cut: careless === 'cut' || careful === 'cut',
  }
}

const outcomeOf = async (one: WebCase, twin: Twin, address: string): Promise<'injectable' | 'not' | 'cut'> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-sqlmap-'))
  try {
    const { stdout } = await promisify(execFile)(
      PATH,
      [...placeOf(one, twin, address), '--batch', '--level', '3', '--disable-coloring', '--output-dir', folder],
      { timeout: LONGEST, maxBuffer: 16 * 2 ** 20, env: { ...process.env, HOME: folder } },
    )
    return FOUND.test(stdout) ? 'injectable' : 'not'
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed === true) {
      return 'stdout' in error && FOUND.test(String(error.stdout)) ? 'injectable' : 'cut'
    }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const FOUND = /sqlmap identified the following injection point/

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
