/**
 * Debian's sqlmap at each SQL case in turn, pointed at the place. Level 3 is the first that tries the quotes, parentheses and
 * places (cookies, Referer) that we try; everything else is its default.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Entry, siteOf } from '../../testbed/web/site/plan.ts'
import { sentFor } from '../../testbed/web/site/requests.ts'
import type { PeerPage } from './kept.ts'
import type { Asked } from './ours.ts'
import type { Peer } from './peers.ts'
import { sessionAt, startTarget } from './target.ts'

const PATH = '/usr/bin/sqlmap'
/** Milliseconds for one page. */
const LONGEST = 300_000

export const sqlmap: Peer = {
  name: 'sqlmap',
  path: PATH,
  hint: 'apt-get install sqlmap',
  atOnce: 1,
  reaches: (entry) => entry.case.class === 'sqli',
  looksFor: () => true,
  scan: async (entries, asked) => {
    const pages: PeerPage[] = []
    for (const one of entries) pages.push(await scanPage(one, asked))
    return pages
  },
}

const scanPage = async (one: Entry, asked: Asked): Promise<PeerPage> => {
  const { id } = one.case
  const began = performance.now()
  const careless = await scanTwin(one, true, asked)
  const careful = await scanTwin(one, false, asked)
  return {
    id,
    found: careless.outcome === 'injectable' ? ['sqli'] : [],
    wrong: careful.outcome === 'injectable' ? [`careful/${id}: sqli`] : [],
    requests: { careless: careless.requests, careful: careful.requests },
    ms: performance.now() - began,
    cut: careless.outcome === 'cut' || careful.outcome === 'cut',
  }
}

interface Twin {
  readonly outcome: 'injectable' | 'not' | 'cut'
  readonly requests: number
}

const scanTwin = async (one: Entry, careless: boolean, asked: Asked): Promise<Twin> => {
  const target = await startTarget(siteOf([one], careless), asked.around, asked.jitter)
  try {
    const outcome = await outcomeOf(one, target.address)
    return { outcome, requests: target.counts.get(one.case.id) ?? 0 }
  } finally {
    await target.close()
  }
}

const outcomeOf = async (one: Entry, address: string): Promise<Twin['outcome']> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-sqlmap-'))
  try {
    const { stdout } = await promisify(execFile)(
      PATH,
      [
        ...placeOf(one, await sessionAt(address), address),
        '--batch',
        '--level',
        '3',
        '--disable-coloring',
        '--output-dir',
        folder,
      ],
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

/** The place is marked with a star, so that no level keeps it out. */
const placeOf = (one: Entry, session: string, address: string): readonly string[] => {
  const { url, headers, body } = sentFor(one, `${one.case.value}*`)
  const { Cookie, ...others } = headers
  const cookie = Cookie === undefined ? session : `${session}; ${Cookie.replaceAll('%2A', '*')}`
  return [
    ...['-u', `http://${address}${url.replaceAll('%2A', '*')}`, '--cookie', cookie],
    ...Object.entries(others).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(body === undefined ? [] : ['--data', body.replaceAll('%2A', '*')]),
  ]
}
