/**
 * A scan child that touches nothing: it speaks the protocol and behaves as the target's name says.
 * `ok.test` finds three modules' worth; the others each have one trick.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { JudgedFinding } from '../../engine/judge.ts'
import type { FromChild, RunSpec, ToChild } from '../../engine/protocol.ts'

const MODULES = ['site', 'headers', 'cookies']
let canceled = false

const send = (message: FromChild): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, (error) => (error ? reject(error) : resolve()))
  })

const problem = (module: string, evidence: string): JudgedFinding => ({
  check_id: `${module}/problem`,
  module,
  title: 'A problem',
  severity: 'medium',
  shift: null,
  confidence: 'firm',
  location: { url: 'http://ok.test/' },
  places: [],
  detail: 'It was seen.',
  description: 'It matters.',
  remediation: 'Fix it.',
  references: [],
  cwe: null,
  owasp: [],
  cvss: null,
  cve: [],
  proof: null,
  evidence: [evidence],
  fingerprint: createHash('sha256').update(module).digest('hex'),
})

const runModule = async (spec: RunSpec, module: string, index: number): Promise<void> => {
  if (spec.target.host === 'crash-offering.test' && module === 'headers') return offering(spec, module)
  await send({ type: 'progress', phase: 'passive', detail: `${module}: looking`, progress: 10 + index * 25 })
  const ts = new Date().toISOString()
  const request = {
    ts,
    module,
    event: 'request',
    method: 'GET',
    url: 'http://ok.test/',
    address: '127.0.0.1',
    status: 200,
  }
  await send({ type: 'audit', entries: [{ ts, module, event: 'module_started' }, request] })
  const id = randomUUID()
  const [ending, contentType] = spec.target.host === 'picture.test' ? ['png', 'image/png'] : ['txt', 'text/plain']
  const evidence = { id, module, filename: `${module}-page.${ending}`, contentType }
  await send({ type: 'evidence', ...evidence, body: Buffer.from(`evidence of ${module}`) })
  await AFTER_EVIDENCE[spec.target.host]?.(spec)
  await send({
    type: 'module',
    module,
    outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
    facts: module === 'site' ? { baseUrl: 'http://ok.test/', addresses: ['127.0.0.1'] } : { seen: true },
    findings: [problem(module, id)],
    coverage: [{ module, check_id: `${module}/problem`, title: 'Problem', state: 'fail', reason: null }],
  })
}

/** Ends its process whenever it has found something, and is handed over as what it had found once it is left out. */
const offering = async (spec: RunSpec, module: string): Promise<void> => {
  const fault = spec.leftOut?.[module]
  if (fault === undefined) {
    await send({ type: 'working', modules: [module] })
    const id = randomUUID()
    const file = { id, module, filename: `${module}-page.txt`, contentType: 'text/plain' }
    await send({ type: 'evidence', ...file, body: Buffer.from('seen') })
    await send({ type: 'found', module, findings: [problem(module, id)] })
    await send({ type: 'offered', module, facts: { evidence: id } })
    process.kill(process.pid, 'SIGKILL')
    await delay(60_000)
  }
  const facts = spec.offered?.[module] as { readonly evidence: string } | undefined
  const reason = 'it ended its process'
  await send({
    ...{ type: 'module', module, facts },
    outcome: { state: 'failed', reason, duration_ms: 0, requests: 0, ...(fault === undefined ? {} : { fault }) },
    findings: facts === undefined ? [] : [problem(module, facts.evidence)],
    coverage: [{ module, check_id: `${module}/problem`, title: 'Problem', state: 'fail', reason }],
  })
}

/** True the first time it is asked about a run. */
const isFirst = (spec: RunSpec): boolean => {
  const mark = `${process.env.FAKE_SCAN_FOLDER}/${spec.runId}`
  if (existsSync(mark)) return false
  writeFileSync(mark, '')
  return true
}

const AFTER_EVIDENCE: Readonly<Record<string, (spec: RunSpec) => Promise<void> | void>> = {
  'crash-after-evidence.test': (spec) => {
    if (isFirst(spec)) process.kill(process.pid, 'SIGKILL')
  },
  'slow.test': () => delay(50),
  'at-work.test': () => send({ type: 'working', modules: MODULES }),
}

const TRICKS: Readonly<Record<string, (spec: RunSpec) => Promise<void> | void>> = {
  'crash.test': () => process.exit(7),
  'crash-once.test': (spec) => {
    if (isFirst(spec)) process.kill(process.pid, 'SIGKILL')
  },
  'out-of-memory.test': () => {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 1000 }, () => ({})))
  },
  'spin.test': () => {
    for (;;);
  },
  'silent.test': async () => {
    await send({ type: 'alive' })
    for (;;);
  },
  'hang.test': async () => {
    for (;;) await delay(1000)
  },
  'polite.test': async () => {
    while (!canceled) await delay(10)
    await send({ type: 'ended', result: 'canceled' })
    process.exit(0)
  },
  'refused.test': async () => {
    await send({ type: 'ended', result: 'failed', error: { kind: 'target_refused', detail: 'Not allowed.' } })
    process.exit(0)
  },
  'leaves-children.test': async () => {
    const { spawn } = await import('node:child_process')
    const child = spawn('sleep', ['600'], { stdio: 'ignore' })
    const ts = new Date().toISOString()
    await send({ type: 'audit', entries: [{ ts, module: 'site', event: 'spawned', detail: String(child.pid) }] })
  },
  'environment.test': async () => {
    const ts = new Date().toISOString()
    await send({
      type: 'audit',
      entries: [{ ts, module: 'site', event: 'env', detail: Object.keys(process.env).join(' ') }],
    })
  },
  'credentials.test': async (spec) => {
    const ts = new Date().toISOString()
    const { cookie } = spec.credentials
    await send({ type: 'audit', entries: [{ ts, module: 'site', event: 'cookie', detail: String(cookie?.length) }] })
  },
  'slow.test': () => delay(150),
  // Goes on once the test says so.
  'waits.test': async () => {
    while (!existsSync(`${process.env.FAKE_SCAN_FOLDER}/go`)) await delay(10)
  },
  'probed.test': async (spec) => {
    const ts = new Date().toISOString()
    await send({
      type: 'audit',
      entries: [{ ts, module: 'site', event: 'consent', detail: String(spec.activeRefused) }],
    })
  },
}

const start = async (spec: RunSpec): Promise<void> => {
  if (MARK !== null) writeFileSync(MARK, spec.runId)
  for (const [index, module] of MODULES.entries()) {
    if (spec.completed[module]) continue
    await runModule(spec, module, index)
    await TRICKS[spec.target.host]?.(spec)
  }
  await send({ type: 'ended', result: 'completed' })
  process.exit(0)
}

// Tells a test whom to kill, and once it is known whose run that is.
const MARK = process.env.FAKE_SCAN_FOLDER ? `${process.env.FAKE_SCAN_FOLDER}/${process.pid}.pid` : null
if (MARK !== null) writeFileSync(MARK, '')

process.once('disconnect', () => process.exit(1))
process.on('message', (message: ToChild) => {
  if (message.type === 'cancel') canceled = true
  else if (message.type === 'start') void start(message.spec)
})
