/** `sonde templates`: a folder of templates checked, and run through the same door as a scan. */

import { randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { TemplateHit, TemplateLint, TemplateRun, TemplateRunOptions, TemplateTool } from '../cli/deps.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { openOobListener } from '../egress/oob/listener.ts'
import type { OobSettings, OutOfBand } from '../egress/oob/out-of-band.ts'
import { launchBrowser } from '../engine/browser/launch.ts'
import { createOobInbox } from '../engine/out-of-band.ts'
import { confidenceOf } from '../modules/attack/templates/confidence.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import { TIERS, type Tier } from '../safety/templates.ts'
import { bytesOfText, textOfBytes } from '../templates/language/bytes.ts'
import { type Catalogue, listReader, openCatalogue } from '../templates/language/catalogue.ts'
import { heldBy, type Policy, policyOf as scanPolicy } from '../templates/language/select.ts'
import { summarise } from '../templates/language/summary.ts'
import type { Template } from '../templates/language/template.ts'
import { vocabularyOf } from '../templates/language/vocabulary.ts'
import { controlHit } from '../templates/run/control.ts'
import type { TemplateTarget } from '../templates/run/executor.ts'
import type { Hit } from '../templates/run/hit.ts'
import { createHttpClient } from '../templates/run/http/client.ts'
import { type RunParts, runTemplate } from '../templates/run/run-template.ts'
import { schedule } from '../templates/run/schedule.ts'
import { targetFor } from '../templates/run/target.ts'
import { runWorkflow } from '../templates/run/workflow.ts'
import { type Config, ConfigError } from './config.ts'
import { egressOf } from './runtime.ts'
import { VERSION } from './version.ts'

/** Milliseconds that calls to our listener have, all together. */
const CALLS = 6_000
/** Templates at once; egress decides how many requests really are. */
const SIDE_BY_SIDE = 8
/** Requests of one `templates run`. */
const REQUESTS = 200_000

export const templateTool = (config: Config): TemplateTool => ({
  lint: (folder) => lintOf(opened(folder)),
  run: (options, signal, progress) => runFolder(config, options, signal, progress),
})

const opened = (folder: string): Catalogue => {
  try {
    return openCatalogue(resolve(folder))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    const why = code === 'ENOENT' ? 'it is not there' : cause instanceof Error ? cause.message : cause
    throw new ConfigError(`${folder} cannot be read: ${why}`, { cause })
  }
}

const lintOf = (catalogue: Catalogue): TemplateLint => ({
  templates: catalogue.templates.length,
  refused: catalogue.refused.length,
  broken: catalogue.broken.length,
  summary: summarise(catalogue, scanPolicy({ full: true, listener: false })),
  problems: [
    ...[...catalogue.broken, ...catalogue.warnings].flatMap(({ file, problems }) =>
      problems.map(({ line, level, path, message }) => ({
        file,
        line,
        level,
        message: path === '' ? message : `${path}: ${message}`,
      })),
    ),
    ...catalogue.refused.map(({ file, refusal }) => ({
      file,
      line: refusal.line,
      level: 'refused' as const,
      message: refusal.reason,
    })),
  ].toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)),
})

const policyOf = (allow: readonly string[], listener: boolean): Policy => {
  const unknown = allow.find((tier) => !TIERS.some((one) => one === tier))
  if (unknown !== undefined) throw new ConfigError(`“${unknown}” is no tier. There are: ${TIERS.join(', ')}.`)
  // What wants a value says which when it runs, and a missing listener is told apart by the caller.
  const always = ['raw-socket', 'operator-values', ...(listener ? (['out-of-band'] as const) : [])] as const
  return { full: true, allowed: new Set<Tier>([...always, ...TIERS.filter((tier) => allow.includes(tier))]) }
}

const runFolder = async (
  config: Config,
  options: TemplateRunOptions,
  signal: AbortSignal,
  progress: (text: string) => void,
): Promise<TemplateRun> => {
  const policy = policyOf(options.allow, config.outOfBand !== null)
  const catalogue = opened(options.folder)
  for (const { file, problems } of catalogue.broken) {
    progress(`${file}:${problems[0]?.line ?? 0} is left out: ${problems[0]?.message ?? 'broken'}`)
  }
  const chosen = catalogue.templates.filter(({ id }) => options.only.length === 0 || options.only.includes(id))
  const missing = options.only.find((id) => !chosen.some((template) => template.id === id))
  if (missing !== undefined) throw new ConfigError(`No template of ${options.folder} has the id “${missing}”.`)
  const url = new URL(options.target)
  const run = createEgress({
    settings: egressOf(config, oneKey(randomBytes(32))),
    runId: randomUUID(),
    version: VERSION,
    target: { host: url.hostname, port: url.port === '' ? null : Number(url.port) },
    credentials: { cookie: null, header: null },
    audit: () => undefined,
    signal,
  })
  const egress = run.forModule('templates', { requests: REQUESTS, signal })
  let browser: Promise<ModuleBrowser> | null = null
  const calls = config.outOfBand === null ? null : await listen(config.outOfBand)
  try {
    const parts: RunParts = {
      egress,
      client: createHttpClient(egress, vocabularyOf(chosen)),
      signal,
      browser: () => {
        browser ??= launchBrowser(egress, signal, () => undefined)
        return browser
      },
      given: new Map(Object.entries(options.values).map(([name, value]) => [name, bytesOfText(value)])),
      readList: listReader(catalogue.folder),
      listener: calls?.inbox ?? null,
      jarms: new Map(),
    }
    return await runTemplates(chosen, catalogue, policy, await targetFor(options.target, egress), parts)
  } finally {
    await (browser as Promise<ModuleBrowser> | null)?.then((open) => open.close())
    await calls?.close()
    await run.close()
  }
}

/** The listener of the operator's settings, for this run alone. */
const listen = async (
  settings: OobSettings,
): Promise<{ readonly inbox: OutOfBand; readonly close: () => Promise<void> }> => {
  const listener = await openListener(settings)
  const { run, stop } = listener.watch((hit) => inbox.arrived(hit))
  const inbox = createOobInbox(run, () => undefined)
  return {
    inbox,
    close: async () => {
      stop()
      await listener.close()
    },
  }
}

const openListener = (settings: OobSettings) =>
  openOobListener(settings).catch((cause: unknown) => {
    throw new ConfigError(`no calls can be heard: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })

const runTemplates = async (
  chosen: readonly Template[],
  catalogue: Catalogue,
  policy: Policy,
  target: TemplateTarget,
  parts: RunParts,
): Promise<TemplateRun> => {
  const heldBack: Partial<Record<Tier, number>> = {}
  const skipped: { template: string; reason: string }[] = []
  const failed: { template: string; reason: string }[] = []
  const found: { template: Template; hit: Hit }[] = []
  const pending: (() => Promise<void>)[] = []
  let ran = 0
  const one = async (template: Template) => {
    const tier = heldBy(template, policy)
    if (tier !== null) {
      heldBack[tier] = (heldBack[tier] ?? 0) + 1
      return null
    }
    const outcome = await runTemplate(template, target, parts)
    // One person watches one template here: what is ours is shown at once.
    if (outcome.broken) throw outcome.broken.error
    ran += 1
    if (outcome.skipped !== null) skipped.push({ template: template.id, reason: outcome.skipped })
    if (outcome.failed !== null) failed.push({ template: template.id, reason: outcome.failed })
    pending.push(async () => {
      for (const hit of await outcome.pending(CALLS)) found.push({ template, hit })
    })
    return outcome
  }
  const each = async (template: Template): Promise<void> => {
    parts.signal.throwIfAborted()
    if (template.workflow !== null) {
      const outcome = await runWorkflow(template.workflow, { templates: catalogue.templates, run: one })
      found.push(...outcome.hits)
      for (const name of outcome.unknown) skipped.push({ template: template.id, reason: `there is no ${name}` })
      return
    }
    for (const hit of (await one(template))?.hits ?? []) found.push({ template, hit })
  }
  // What looks at the answers of others comes first.
  const scheduled = schedule(chosen, target)
  for (const { requests } of scheduled) for (const request of requests) parts.client.expect(request)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < scheduled.length; at = next++) {
      const template = scheduled[at]?.template
      if (template) await each(template)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  await Promise.all(pending.map((ask) => ask()))
  const hits: TemplateHit[] = []
  let refuted = 0
  for (const { template, hit } of found) {
    const { confidence, because } = confidenceOf(hit, await controlHit(hit, template, target, parts))
    if (confidence === null) refuted += 1
    else hits.push(hitLine(template, hit, confidence, because))
  }
  const { named, sent } = parts.client.stats()
  const selected = chosen.length
  return { selected, run: ran, skipped, failed, heldBack, refuted, requests: { named, sent }, hits }
}

const hitLine = (template: Template, hit: Hit, confidence: string, because: string): TemplateHit => ({
  template: template.id,
  name: template.info.name,
  severity: template.info.severity,
  matcher: textOfBytes(hit.name),
  at: hit.at.url ?? `${hit.at.host ?? ''}${hit.at.port === undefined ? '' : `:${hit.at.port}`}`,
  extracted: hit.extracted
    .flatMap(({ values }) => values.map((value) => textOfBytes(value).slice(0, 200)))
    .slice(0, 20),
  confidence,
  because,
})
