/**
 * Templates of every protocol but http, each run against a host that answers plausibly, and once more against one that is
 * hostile: how many run, why the others do not, and how long it takes.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import { collectContext } from '../../src/modules/testing/collecting.ts'
import { type Catalogue, listReader } from '../../src/templates/language/catalogue.ts'
import { heldBy, policyOf } from '../../src/templates/language/select.ts'
import { protocolOf, summarise } from '../../src/templates/language/summary.ts'
import type { Template } from '../../src/templates/language/template.ts'
import { vocabularyOf } from '../../src/templates/language/vocabulary.ts'
import type { SkipKind } from '../../src/templates/run/executor.ts'
import { createHttpClient } from '../../src/templates/run/http/client.ts'
import { type RunParts, runTemplate } from '../../src/templates/run/run-template.ts'
import { targetFor } from '../../src/templates/run/target.ts'
import { runWorkflow } from '../../src/templates/run/workflow.ts'
import { type BenchRow, publish, row } from '../table.ts'

const ADDRESS = '127.93.4.2'
const PROTOCOLS = ['dns', 'ssl', 'tcp', 'javascript', 'headless', 'workflow'] as const
const SIDE_BY_SIDE = 8

export interface ProtocolRun {
  readonly protocol: string
  readonly allowed: number
  readonly run: number
  /** Ran, and a port of it was closed or broke off. */
  readonly unanswered: number
  readonly skipped: ReadonlyMap<SkipKind, number>
  readonly reasons: ReadonlyMap<string, number>
  /** Thrown by the engine itself. */
  readonly errors: readonly string[]
  readonly hits: number
  /** Ids of templates that matched. */
  readonly matched: readonly string[]
  readonly seconds: number
  /** Seconds of the slowest. */
  readonly slowest: number
  readonly slowestId: string
}

/** Ports that templates of the catalogue name. */
const portsOf = (templates: readonly Template[]): readonly number[] => {
  const ports = templates.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      if (step.protocol === 'tcp') return step.ports
      if (step.protocol !== 'javascript') return []
      const port = step.args.find(([name]) => name === 'Port')?.[1]
      return String(port ?? '')
        .split(',')
        .map(Number)
    }),
  )
  return [...new Set(ports)].filter((port) => port > 0 && port < 65_536 && ![80, 443, 9].includes(port))
}

export const runProtocols = async (catalogue: Catalogue, mood: 'plausible' | 'hostile'): Promise<ProtocolRun[]> => {
  const policy = policyOf({ full: true, listener: false })
  const allowed = catalogue.templates.filter((template) => heldBy(template, policy) === null)
  const args = [ADDRESS, portsOf(allowed).join(','), mood]
  const server = fork(new URL('./services.ts', import.meta.url), args)
  const { ctx, close } = collectContext(ADDRESS, {
    module: 'templates',
    requests: 100_000,
    port: 443,
    pace: 100_000,
    launchBrowser,
  })
  try {
    await once(server, 'message')
    const parts: RunParts = {
      egress: ctx.egress,
      client: createHttpClient(ctx.egress, vocabularyOf(allowed)),
      signal: ctx.signal,
      browser: ctx.browser,
      given: new Map(),
      readList: listReader(catalogue.folder),
      listener: null,
      jarms: new Map(),
    }
    const secure = await targetFor('https://shop.test', ctx.egress)
    const plain = await targetFor('http://shop.test', ctx.egress)
    const runs: ProtocolRun[] = []
    for (const protocol of PROTOCOLS) {
      // Workflows name templates of the web, which a hostile port says nothing about.
      if (mood === 'hostile' && (protocol === 'workflow' || protocol === 'headless')) continue
      const templates = allowed.filter((template) => protocolOf(template) === protocol)
      const target = protocol === 'workflow' || protocol === 'headless' ? plain : secure
      runs.push(
        await runEach(protocol, templates, async (template) => {
          if (template.workflow === null) {
            const { hits, skipped, skipKind, failed } = await runTemplate(template, target, parts)
            return { hits: hits.length, skipped, skipKind, failed }
          }
          const outcome = await runWorkflow(template.workflow, {
            templates: catalogue.templates,
            run: async (one) => (heldBy(one, policy) === null ? runTemplate(one, target, parts) : null),
          })
          const missing = outcome.unknown.length > 0 && outcome.ran + outcome.heldBack === 0
          return {
            hits: outcome.hits.length,
            skipped: missing ? 'names templates that are not in the catalogue' : null,
            skipKind: missing ? 'absent' : null,
            failed: null,
          }
        }),
      )
    }
    return runs
  } finally {
    await close()
    server.kill()
  }
}

interface One {
  readonly hits: number
  readonly skipped: string | null
  readonly skipKind: SkipKind | null
  readonly failed: string | null
}

const runEach = async (
  protocol: string,
  templates: readonly Template[],
  run: (template: Template) => Promise<One>,
): Promise<ProtocolRun> => {
  const counts = { run: 0, unanswered: 0, hits: 0, slowest: 0 }
  const skipped = new Map<SkipKind, number>()
  const reasons = new Map<string, number>()
  const errors: string[] = []
  const matched: string[] = []
  const began = performance.now()
  let slow = { slowest: 0, slowestId: '' }
  let next = 0
  const worker = async (): Promise<void> => {
    for (let template = templates[next++]; template !== undefined; template = templates[next++]) {
      const start = performance.now()
      try {
        const one = await run(template)
        counts.hits += one.hits
        if (one.hits > 0) matched.push(template.id)
        if (one.skipped === null) counts.run += 1
        else {
          const kind = one.skipKind ?? 'unsupported'
          skipped.set(kind, (skipped.get(kind) ?? 0) + 1)
          const reason = `${kind}: ${one.skipped.slice(0, 100)} (${template.id})`
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        }
        if (one.skipped === null && one.failed !== null) counts.unanswered += 1
      } catch (error) {
        errors.push(`${template.id}: ${error instanceof Error ? error.message : error}`)
      }
      const took = (performance.now() - start) / 1_000
      if (took > counts.slowest) slow = { slowest: took, slowestId: template.id }
      counts.slowest = Math.max(counts.slowest, took)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  const seconds = (performance.now() - began) / 1_000
  return { protocol, allowed: templates.length, ...counts, ...slow, matched, skipped, reasons, errors, seconds }
}

/** Longest that one template may take whatever the services do, in seconds. */
const LONGEST = 60

export const protocolRows = async (catalogue: Catalogue): Promise<BenchRow[]> => {
  const plausible = await runProtocols(catalogue, 'plausible')
  const hostile = await runProtocols(catalogue, 'hostile')
  printRuns('plausible', plausible)
  printRuns('hostile', hostile)
  return [
    ...plausible.flatMap((one) => [
      row({
        id: `${one.protocol}-run`,
        what: `${one.protocol}: templates that run, of ${one.allowed} that are allowed`,
        unit: 'templates',
        ours: one.run,
        target: { text: 'all but policy', met: () => (one.skipped.get('unsupported') ?? 0) + one.errors.length === 0 },
      }),
      row({ id: `${one.protocol}-seconds`, what: `${one.protocol}: all of them`, unit: 's', ours: one.seconds }),
    ]),
    ...hostile.map((one) =>
      row({
        id: `${one.protocol}-hostile`,
        what: `${one.protocol}: the slowest against hostile ports, ${one.errors.length} errors`,
        unit: 's',
        ours: one.slowest,
        target: { text: `< ${LONGEST}, no error`, met: (ours) => ours < LONGEST && one.errors.length === 0 },
      }),
    ),
  ]
}

const printRuns = (mood: string, runs: readonly ProtocolRun[]): void => {
  process.stdout.write(`\n${mood} services\n`)
  for (const {
    protocol,
    allowed,
    run,
    unanswered,
    skipped,
    reasons,
    errors,
    hits,
    matched,
    seconds,
    slowest,
    slowestId,
  } of runs) {
    const kinds = [...skipped].map(([kind, count]) => `${count} ${kind}`).join(', ')
    process.stdout.write(
      `  ${protocol.padEnd(10)} ${allowed} allowed, ${run} run (${unanswered} broke off), not run: ${kinds || 'none'}; ` +
        `${hits} matches, ${seconds.toFixed(1)} s, slowest ${slowest.toFixed(1)} s (${slowestId})\n`,
    )
    if (mood === 'hostile' && hits > 0) process.stdout.write(`    matched: ${matched.join(', ')}\n`)
    for (const [reason, count] of reasons) process.stdout.write(`    ${count} × ${reason}\n`)
    for (const error of errors) process.stdout.write(`    ERROR ${error}\n`)
  }
}

/** The whole catalogue, protocol by protocol: what parses, what policy refuses or holds back. */
export const printSummary = (catalogue: Catalogue): void => {
  process.stdout.write('\nprotocol    files  allowed  held back  refused  broken\n')
  const sum = (counts: readonly { readonly templates: number }[]): number =>
    counts.reduce((all, { templates }) => all + templates, 0)
  for (const one of summarise(catalogue, policyOf({ full: true, listener: false }))) {
    const cells = [one.files, one.allowed, sum(one.heldBack), sum(one.refused), one.broken]
    process.stdout.write(`${one.protocol.padEnd(11)} ${cells.map((cell) => String(cell).padStart(6)).join('   ')}\n`)
  }
}

if (import.meta.main) {
  const { realCatalogue } = await import('../../tests/support/real-catalogue.ts')
  const { openCatalogue } = await import('../../src/templates/language/catalogue.ts')
  const found = realCatalogue()
  if (typeof found === 'string') throw new Error(found)
  try {
    const catalogue = openCatalogue(found.folder)
    printSummary(catalogue)
    publish('templates-protocols', await protocolRows(catalogue))
  } finally {
    found.close()
  }
}
