/**
 * The modules that inject, over every page of testbed/web and its careful twin, also the ones that only time can tell.
 * `node bench/web.ts [module] [part of a case's id]`; `--load` keeps the CPU busy, `--jitter` delays answers by 50 to 400 ms.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { serveCase } from '../src/modules/testing/collecting.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { type ScoredModule, scoreCases } from '../testbed/web/score.ts'
import { serveCases } from '../testbed/web/server.ts'
import { closeSurroundings, openSurroundings } from '../testbed/web/surroundings.ts'

const flags = process.argv.slice(2).filter((one) => one.startsWith('--'))
const [only = '', part = ''] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
const modules = (['sqli', 'injection', 'xss'] as const satisfies readonly ScoredModule[]).filter((one) =>
  one.includes(only),
)

const folder = await mkdtemp(join(tmpdir(), 'sonde-bench-'))
const around = await openSurroundings(folder)
const serve = serveCases(WEB_CASES, around)
const server = await serveCase(72, {
  http: (request, response) => {
    if (flags.includes('--jitter')) setTimeout(() => serve(request, response), 50 + Math.random() * 350)
    else serve(request, response)
  },
})
const load = flags.includes('--load') ? [0, 1].map(() => new Worker('for (;;) Math.sqrt(2)', { eval: true })) : []
try {
  for (const module of modules) {
    const cases = WEB_CASES.filter((one) => one.module === module && one.id.includes(part))
    const { recall, missed, alarms, median, requests, ms, failures } = await scoreCases(module, cases, server.address)
    const rows = [
      `${module}: ${cases.length} careless pages and their twins`,
      `recall ${recall.toFixed(3)}, false alarms ${alarms.length}, median ${median} requests a place, ${requests} in all, ${(ms / 1_000).toFixed(1)} s`,
      ...missed.map((one) => `missed ${one}`),
      ...alarms.map((one) => `alarm ${one}`),
      ...failures,
    ]
    process.stdout.write(`${rows.join('\n')}\n`)
  }
} finally {
  for (const worker of load) await worker.terminate()
  await server.close()
  await closeSurroundings(around)
  await rm(folder, { recursive: true, force: true })
}
