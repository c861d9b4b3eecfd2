/**
 * The whole allowed catalogue against a loopback site that answers plausibly, with the gain of sending each request once.
 * Needs a copy of the public catalogue: SONDE_CATALOGUE, or ../shared/data beside the checkout.
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectContext } from '../src/modules/testing/collecting.ts'
import { openCatalogue } from '../src/templates/language/catalogue.ts'
import { policyOf, selectTemplates } from '../src/templates/language/select.ts'
import { vocabularyOf } from '../src/templates/language/vocabulary.ts'
import { createHttpClient } from '../src/templates/run/http/client.ts'
import { keyOf } from '../src/templates/run/http/request.ts'
import { runAll } from '../src/templates/run/run-all.ts'
import { schedule } from '../src/templates/run/schedule.ts'
import { targetFor } from '../src/templates/run/target.ts'
import { realCatalogue } from '../tests/support/real-catalogue.ts'
import { publish, row } from './table.ts'

const ADDRESS = '127.93.4.1'
const SECONDS = 120

/** MiB of a process that opens the catalogue and does nothing else: from its files where there is no plan, else from the plan. */
const heldBy = (folder: string, cache: string): number => {
  const source = new URL('../src/templates/language/catalogue.ts', import.meta.url).href
  const script = `import { openCatalogue } from ${JSON.stringify(source)}
    openCatalogue(${JSON.stringify(folder)}, ${JSON.stringify(cache)})
    console.log(process.resourceUsage().maxRSS / 1024)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

const bench = async (folder: string): Promise<void> => {
  const cache = mkdtempSync(join(tmpdir(), 'sonde-plans-'))
  const server = fork(new URL('./templates/server.ts', import.meta.url), [ADDRESS])
  try {
    const [port] = (await once(server, 'message')) as [number]
    const timed = <Value>(work: () => Value): { readonly ms: number; readonly value: Value } => {
      const began = performance.now()
      const value = work()
      return { ms: performance.now() - began, value }
    }
    const held = { first: heldBy(folder, cache), later: heldBy(folder, cache) }
    rmSync(cache, { recursive: true, force: true })
    const cold = timed(() => openCatalogue(folder, cache))
    const warm = timed(() => openCatalogue(folder, cache))
    const began = performance.now()
    const catalogue = openCatalogue(folder, cache)
    const selected = selectTemplates(catalogue.templates, [], policyOf({ full: true, listener: false })).templates
    // The site speaks http alone: conversations with ports that are not there would measure their deadlines.
    const templates = selected.filter(({ steps }) => steps.every(({ protocol }) => protocol === 'http'))
    const { ctx, close } = collectContext(ADDRESS, { module: 'templates', requests: 100_000, port, pace: 100_000 })
    try {
      let first = 0
      const egress: typeof ctx.egress = {
        ...ctx.egress,
        http: (request) => {
          first ||= performance.now()
          return ctx.egress.http(request)
        },
      }
      const target = await targetFor(`http://shop.test:${port}`, egress)
      const client = createHttpClient(egress, vocabularyOf(templates))
      const scheduled = schedule(templates, target)
      for (const { requests } of scheduled) for (const request of requests) client.expect(request)
      const definitions = scheduled.flatMap(({ requests }) => requests.map(keyOf))
      const cpu = process.cpuUsage()
      const start = performance.now()
      const ran = await runAll(
        scheduled,
        target,
        {
          egress,
          client,
          signal: ctx.signal,
          browser: ctx.browser,
          given: new Map(),
          readList: () => null,
          listener: null,
        },
        {
          until: start + SECONDS * 1_000,
          progress: () => undefined,
          fault: (error: unknown) => {
            throw error
          },
        },
      )
      const seconds = (performance.now() - start) / 1_000
      const spent = process.cpuUsage(cpu)
      const { named, sent, failed, distinctBodies } = client.stats()
      const saved = 100 * (1 - sent / named)
      const memory = process.resourceUsage().maxRSS / 1_024
      publish('templates', [
        row({
          id: 'parsed',
          what: 'templates that parse, of the catalogue without refusals by policy',
          unit: '%',
          ours: (100 * catalogue.templates.length) / (catalogue.templates.length + catalogue.broken.length),
          target: { text: '100', met: (ours) => ours === 100 },
        }),
        row({
          id: 'first-start',
          what: `reading and compiling ${catalogue.templates.length} templates`,
          unit: 'ms',
          ours: cold.ms,
        }),
        row({
          id: 'second-start',
          what: 'opening the compiled plan',
          unit: 'ms',
          ours: warm.ms,
          target: { text: '< 1,000', met: (ours) => ours < 1_000 },
        }),
        row({
          id: 'held-first',
          what: 'a process that compiles the catalogue and holds it',
          unit: 'MiB',
          ours: held.first,
        }),
        row({
          id: 'held',
          what: 'a process that holds the catalogue from the compiled plan',
          unit: 'MiB',
          ours: held.later,
          target: { text: '< 400', met: (ours) => ours < 400 },
        }),
        row({
          id: 'first-request',
          what: 'from opening the plan to the first request',
          unit: 'ms',
          ours: first - began,
        }),
        row({
          id: 'selected',
          what: `http templates of a run with template_full (of ${selected.length} of all protocols)`,
          unit: 'templates',
          ours: templates.length,
        }),
        row({ id: 'run', what: 'of these, run', unit: 'templates', ours: ran.run }),
        row({ id: 'skipped', what: 'of these, lacking a value or a protocol', unit: 'templates', ours: ran.skipped }),
        row({ id: 'unanswered', what: 'of these, without an answer', unit: 'templates', ours: ran.failed }),
        row({
          id: 'late',
          what: 'of these, not begun in time',
          unit: 'templates',
          ours: ran.late,
          target: { text: '0', met: (ours) => ours === 0 },
        }),
        row({ id: 'rate', what: 'templates a second', unit: '1/s', ours: ran.run / seconds }),
        row({ id: 'static', what: 'request definitions known beforehand', unit: 'requests', ours: definitions.length }),
        row({ id: 'distinct', what: 'of these, distinct', unit: 'requests', ours: new Set(definitions).size }),
        row({ id: 'named', what: 'requests that running templates named', unit: 'requests', ours: named }),
        row({ id: 'sent', what: 'requests sent', unit: 'requests', ours: sent }),
        row({
          id: 'saved',
          what: 'requests saved',
          unit: '%',
          ours: saved,
          peer: { name: 'nuclei (its documented clustering, counted over the same catalogue)', value: 14 },
          target: { text: '≥ 25', met: (ours) => ours >= 25 },
        }),
        row({ id: 'failed', what: 'requests without an answer', unit: 'requests', ours: failed }),
        row({ id: 'bodies', what: 'distinct bodies, hashed once each', unit: 'bodies', ours: distinctBodies }),
        row({
          id: 'cpu',
          what: 'processor time for each request, judging included',
          unit: 'ms',
          ours: (spent.user + spent.system) / 1_000 / sent,
        }),
        row({
          id: 'memory',
          what: 'peak memory of the process',
          unit: 'MiB',
          ours: memory,
          target: { text: '< 600', met: (ours) => ours < 600 },
        }),
        row({ id: 'hits', what: 'matches before the controls', unit: 'matches', ours: ran.hits.length }),
        row({ id: 'seconds', what: 'the whole run', unit: 's', ours: seconds }),
      ])
      for (const { reason, templates: count } of ran.skips) process.stdout.write(`  ${count} × ${reason}\n`)
    } finally {
      await close()
    }
  } finally {
    server.kill()
    rmSync(cache, { recursive: true, force: true })
  }
}

const found = realCatalogue()
if (typeof found === 'string') {
  process.stdout.write(`templates: nothing measured. ${found}\n`)
  process.exitCode = 1
} else {
  try {
    await bench(found.folder)
  } finally {
    found.close()
  }
}
