/**
 * The compiled CVE index at the size of the whole world: 300,000 generated records, most of them of few products.
 * The peer is what one would write first: the records as JSON in memory, searched from front to back.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { affects } from '../src/knowledge/cve/affects.ts'
import { openIndex, writeIndex } from '../src/knowledge/cve/index-file.ts'
import type { CveRecord } from '../src/knowledge/cve/record.ts'
import { caseAddress } from '../src/modules/testing/collecting.ts'
import { knownCves } from '../testbed/cve/table.ts'
import { importTable, judgeAllServices, judgeSites, outcomesOf, versionsOf } from '../tests/cve-truth/run.ts'
import { percentile, publish, row } from './table.ts'

const RECORDS = 300_000
const PRODUCTS = 40_000
const LOOKUPS = 2_000

/** The same numbers every time (Lehmer). */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

function* generated(): Generator<CveRecord> {
  const next = numbers(7)
  for (let index = 0; index < RECORDS; index += 1) {
    // One in forty is about the product with the most records, as a kernel or a browser is.
    const product = index % 40 === 0 ? 0 : next(next(2) === 0 ? 500 : PRODUCTS)
    const statements = 1 + next(4)
    yield {
      id: `CVE-${2000 + (index % 27)}-${10_000 + index}`,
      summary: `A flaw in part ${next(1_000)} of product ${product} lets a remote attacker read or change data. ${'It needs no account and works in the default set-up. '.repeat(2 + next(3))}`,
      score: next(101) / 10,
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      cwe: 1 + next(1_300),
      references: [`https://vendor${product}.example/advisories/${index}`, `https://nvd.example/vuln/detail/${index}`],
      exploitedSince: null,
      affected: Array.from({ length: statements }, (_none, part) => {
        const major = next(12)
        const minor = next(20)
        return {
          key: `cpe:vendor${product}:product${product}`,
          scheme: 'generic' as const,
          range: {
            start: part === 0 && next(3) === 0 ? null : `${major}.${minor}.0`,
            startIncluded: true,
            end: `${major}.${minor + next(3)}.${1 + next(40)}`,
            endIncluded: false,
          },
          anyUpdate: false,
          conditional: false,
        }
      }),
    }
  }
}

/** The CVEs of 2025 and 2026 in software that shows itself as the real one does. */
const truth = async (folder: string) => {
  const known = knownCves()
  importTable(folder, known)
  const versions = versionsOf(known)
  const judged = [
    ...(await judgeSites(caseAddress(119), versions, folder)),
    ...(await judgeAllServices(versions, folder)),
  ]
  const outcomes = outcomesOf(known, judged)
  return {
    known: outcomes.length,
    found: outcomes.filter(({ missed }) => missed.length === 0).length,
    wrong: outcomes.filter(({ wrong }) => wrong.length > 0).length,
    shown: judged.length,
    read: judged.filter(({ read }) => read).length,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-cve-'))
try {
  const seen = await truth(folder)
  const path = join(folder, 'index.db')
  const began = performance.now()
  const { ranges } = writeIndex(path, generated())
  const built = (performance.now() - began) / 1_000

  const opens: number[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    const start = performance.now()
    const index = openIndex(path, 'bench', '1')
    index.find('cpe:vendor1:product1', '5.2.1')
    opens.push(performance.now() - start)
    index.close()
  }

  const before = process.memoryUsage().rss
  const index = openIndex(path, 'bench', '1')
  const next = numbers(11)
  const questions = Array.from({ length: LOOKUPS }, (_none, turn) => {
    const product = turn % 10 === 0 ? 0 : next(PRODUCTS)
    return { key: `cpe:vendor${product}:product${product}`, version: `${next(12)}.${next(20)}.${next(40)}` }
  })
  let found = 0
  const times = questions.map(({ key, version }) => {
    const start = performance.now()
    found += index.find(key, version).length
    return performance.now() - start
  })
  const grown = (process.memoryUsage().rss - before) / 2 ** 20
  const worst = questions.flatMap((question, turn) => (question.key.endsWith(':product0') ? [times[turn] ?? 0] : []))

  const all = [...generated()]
  const sample = questions.slice(0, 20)
  let agreed = 0
  const peers = sample.map(({ key, version }) => {
    const start = performance.now()
    const hits = all.filter(({ affected }) => affected.some((one) => one.key === key && affects(one, version)))
    const time = performance.now() - start
    if (Math.min(hits.length, 200) === index.find(key, version).length) agreed += 1
    return time
  })
  index.close()
  const peer = { name: 'linear search in memory', value: percentile(peers, 0.5) }

  publish('cve', [
    row({
      id: 'size',
      what: `${RECORDS} records, ${ranges} ranges on disk`,
      unit: 'MB',
      ours: statSync(path).size / 1e6,
      target: { text: '< 300', met: (ours) => ours < 300 },
    }),
    row({ id: 'build', what: 'compiling the index', unit: 's', ours: built }),
    row({
      id: 'open',
      what: 'opening it and one look-up, p95',
      unit: 'ms',
      ours: percentile(opens, 0.95),
      target: { text: '< 200', met: (ours) => ours < 200 },
    }),
    row({ id: 'match', what: 'a component matched, p50', unit: 'ms', ours: percentile(times, 0.5), peer }),
    row({
      id: 'match-p99',
      what: `a component matched, p99 of ${LOOKUPS}`,
      unit: 'ms',
      ours: percentile(times, 0.99),
      target: { text: '< 5', met: (ours) => ours < 5 },
    }),
    row({
      id: 'match-largest',
      what: 'the product with 7,500 records, p50',
      unit: 'ms',
      ours: percentile(worst, 0.5),
      target: { text: '< 5', met: (ours) => ours < 5 },
    }),
    row({ id: 'memory', what: `memory grown by ${LOOKUPS} look-ups, ${found} matches`, unit: 'MiB', ours: grown }),
    row({
      id: 'agreement',
      what: 'answers equal to the linear search',
      unit: 'of 20',
      ours: agreed,
      target: { text: '20', met: (ours) => ours === 20 },
    }),
    row({
      id: 'recall',
      what: `of ${seen.known} CVEs of 2025 and 2026, found in versions before the fix`,
      unit: '%',
      ours: (100 * seen.found) / seen.known,
      target: { text: '>= 95', met: (ours) => ours >= 95 },
    }),
    row({
      id: 'wrong',
      what: 'of them, found in a version with the fix',
      unit: '',
      ours: seen.wrong,
      target: { text: '0', met: (ours) => ours === 0 },
    }),
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
