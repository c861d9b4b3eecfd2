/** Selects, schedules, runs, asks again, weighs. */
import { EgressError } from '../../../egress/door/egress.ts'
import { openCveKnowledge } from '../../../knowledge/feeds/cve-knowledge.ts'
import { epssOf } from '../../../knowledge/feeds/parse/epss.ts'
import { exploitedOf } from '../../../knowledge/feeds/parse/kev.ts'
import { TIER_REASONS, type Tier } from '../../../safety/templates.ts'
import { type Product, policyOf, selectTemplates } from '../../../templates/language/select.ts'
import type { Template } from '../../../templates/language/template.ts'
import { vocabularyOf } from '../../../templates/language/vocabulary.ts'
import { type Controls, controlHit } from '../../../templates/run/control.ts'
import type { TemplateTarget } from '../../../templates/run/executor.ts'
import { absentProducts, specOf } from '../../../templates/run/gates.ts'
import type { Hit } from '../../../templates/run/hit.ts'
import { createHttpClient, isFinal, type Reply } from '../../../templates/run/http/client.ts'
import type { TemplateCve, TemplateResult } from '../../../templates/run/match.ts'
import { type AssessedHit, resultOf } from '../../../templates/run/result.ts'
import { runAll } from '../../../templates/run/run-all.ts'
import type { RunParts, TemplateOutcome } from '../../../templates/run/run-template.ts'
import { schedule } from '../../../templates/run/schedule.ts'
import { targetFor } from '../../../templates/run/target.ts'
import { endsModule, held } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { TechnologyFacts } from '../../passive/technology/facts.ts'
import { type Catalogues, openCatalogues } from './catalogues.ts'
import { confidenceOf } from './confidence.ts'
import type { TemplatesFacts } from './facts.ts'

/** Share of the module's time after which no further template is begun. */
const BEGIN = 0.8
/** Hits of one run that are asked again; beyond, something answers yes to everything. */
const MOST_CONTROLS = 300
/** Milliseconds that calls to our listener have, all together. */
const CALLS = 6_000

export const collectTemplates = async (
  ctx: CollectContext,
  site: SiteFacts,
  technology: TechnologyFacts,
  seconds: number,
): Promise<TemplatesFacts> => {
  const catalogues = openCatalogues(ctx)
  const listener = ctx.outOfBand ?? null
  const all = [...(catalogues.own?.templates ?? []), ...(catalogues.imported?.catalogue.templates ?? [])]
  const test = ctx.target.environment === 'test'
  const policy = policyOf({ full: ctx.options.template_full, listener: listener !== null, test })
  const products: readonly Product[] = technology.technologies.filter(({ confidence }) => confidence !== 'tentative')
  const selection = selectTemplates(all, products, policy)
  const target = await targetFor(baseOf(site.baseUrl), ctx.egress)
  const client = createHttpClient(ctx.egress, vocabularyOf(selection.templates))
  const parts: RunParts = {
    egress: ctx.egress,
    client,
    signal: ctx.signal,
    browser: ctx.browser,
    given: new Map(),
    readList: catalogues.readList,
    listener,
    jarms: new Map(),
  }
  const until = performance.now() + seconds * 1_000 * BEGIN
  const detected = new Set(products.map(({ name }) => name.toLowerCase()))
  const missing = await missingReplies(target, parts)
  const absent = await absentProducts(selection.templates, (tag) => detected.has(tag), target, client, missing)
  const kept = selection.templates.filter(({ info }) => !info.tags.some((tag) => absent.has(tag)))
  const scheduled = schedule(kept, target)
  for (const { requests } of scheduled) for (const request of requests) client.expect(request)
  const ran = await runAll(scheduled, target, parts, { until, progress: ctx.progress, fault: ctx.fault })
  const called = await callsOf(ran.outcomes, ctx)
  const weighed = await weighAll([...ran.hits, ...called.found], target, parts, ctx)
  const results = await withCves(weighed.results, ctx)
  const faults = ran.faults + called.faults + weighed.faults + results.faults
  const fault = ran.fault ?? called.fault ?? weighed.fault ?? results.fault
  return {
    catalogue: catalogues.imported && {
      version: catalogues.imported.version,
      templates: catalogues.imported.catalogue.templates.length,
    },
    own: catalogues.own?.templates.length ?? 0,
    full: policy.full,
    counts: {
      selected: selection.templates.length,
      run: ran.run,
      skipped: ran.skipped,
      failed: ran.failed,
      late: ran.late,
      notFitting: selection.notFitting,
      pruned: selection.templates.length - kept.length,
      refuted: weighed.refuted,
    },
    heldBack: Object.entries(selection.heldBack).map(([tier, templates]) => ({
      tier,
      reason: TIER_REASONS[tier as Tier],
      templates,
    })),
    refused: refusedOf(catalogues),
    broken: catalogues.imported?.catalogue.broken.length ?? 0,
    skips: ran.skips,
    requests: client.stats(),
    results: results.results,
    ...(fault === null ? {} : { faults: { templates: faults, fault } }),
  }
}

/**
 * Below which address an application is, where its start page was found at another one than `/`: a folder is one, and so is that of a
 * file; of a route such as `/users/sign_in` nobody knows more than that it is on this host.
 */
export const baseOf = (start: string): string => {
  const url = new URL(start)
  return new URL(/(?:\/|\.[a-z][a-z\d]{1,4})$/i.test(url.pathname) ? './' : '/', url).href
}

/** Two paths that cannot exist: how this site says "nothing here". */
const missingReplies = async (target: TemplateTarget, parts: RunParts): Promise<readonly Reply[]> => {
  const paths = ['/f3b1c07a92', '/f3b1c07a92/e81d.php'].map((path) => path.replace(/[0-9a-f]{10}/, randomName()))
  const replies = await Promise.all(
    paths.map((path) =>
      parts.client.send(specOf(path, target), true).catch((error: unknown) => {
        if (!(error instanceof EgressError) || isFinal(error)) throw error
        return null
      }),
    ),
  )
  return replies.filter((reply) => reply !== null)
}

const randomName = (): string => crypto.randomUUID().slice(0, 13).replace('-', '')

interface Found {
  readonly template: Template
  readonly hit: Hit
}

/** What a step for each template kept from an answer by a fault of ours: how many, and the id of one. */
interface Faults {
  readonly faults: number
  readonly fault: string | null
}

/** A wall around each one of many: what ends the module is thrown on, all else is counted, told, and costs that one alone. */
const each = async <One, Value>(
  ctx: CollectContext,
  list: readonly One[],
  templateOf: (one: One) => Template,
  work: (one: One, at: number) => Promise<Value>,
): Promise<Faults & { readonly values: readonly Value[] }> => {
  const values: Value[] = []
  let faults = 0
  let fault: string | null = null
  for (const [at, one] of list.entries()) {
    const done = await held(ctx, `template ${templateOf(one).id}`, () => work(one, at))
    if ('value' in done) values.push(done.value)
    else {
      faults += 1
      fault = done.fault
    }
  }
  return { values, faults, fault }
}

const callsOf = async (
  outcomes: readonly { readonly template: Template; readonly outcome: TemplateOutcome }[],
  ctx: CollectContext,
): Promise<Faults & { readonly found: readonly Found[] }> => {
  // All wait at the same time.
  const waiting = outcomes.map(({ template, outcome }) => {
    const calls = (async () => outcome.pending(CALLS))()
    calls.catch(() => undefined) // Waited for below, one after the other.
    return { template, calls }
  })
  const { values, ...faults } = await each(
    ctx,
    waiting,
    ({ template }) => template,
    async ({ template, calls }) => (await calls).map((hit): Found => ({ template, hit })),
  )
  return { found: values.flat(), ...faults }
}

const weighAll = async (
  found: readonly Found[],
  target: TemplateTarget,
  parts: RunParts,
  ctx: CollectContext,
): Promise<Faults & { readonly results: readonly AssessedHit[]; readonly refuted: number }> => {
  const { values, ...faults } = await each(
    ctx,
    found,
    ({ template }) => template,
    async ({ template, hit }, at) => {
      const controls = at < MOST_CONTROLS ? await controlsOf({ template, hit }, target, parts, ctx) : UNASKED
      return { template, hit, ...confidenceOf(hit, controls) }
    },
  )
  const results = values.flatMap(({ confidence, ...rest }) => (confidence === null ? [] : [{ ...rest, confidence }]))
  return { results, refuted: values.length - results.length, ...faults }
}

const UNASKED: Controls = { again: null, sibling: null }

/** A hit that could not be asked again, for the budget or by a fault of ours, stays as the hint that it is. */
const controlsOf = async (
  { template, hit }: Found,
  target: TemplateTarget,
  parts: RunParts,
  ctx: CollectContext,
): Promise<Controls> => {
  try {
    return await controlHit(hit, template, target, parts)
  } catch (error) {
    if (error instanceof EgressError && error.code === 'budget') return UNASKED
    if (endsModule(error, ctx.signal)) throw error
    ctx.fault(error, `asking template ${template.id} again`)
    return UNASKED
  }
}

const refusedOf = ({ imported }: Catalogues): TemplatesFacts['refused'] => {
  const counts = new Map<string, number>()
  for (const { refusal } of imported?.catalogue.refused ?? []) {
    const reason = refusal.reason.replace(/ \(\w+\)$/, '')
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, templates]) => ({ reason, templates }))
}

const withCves = async (
  weighed: readonly AssessedHit[],
  ctx: CollectContext,
): Promise<Faults & { readonly results: readonly TemplateResult[] }> => {
  if (weighed.length === 0) return { results: [], faults: 0, fault: null }
  const knowledge = openCveKnowledge(ctx.knowledge)
  try {
    const lookUp = (id: string): TemplateCve => {
      const epss = knowledge.epss === null ? null : epssOf(knowledge.epss, id)
      const kev = knowledge.kev === null ? null : exploitedOf(knowledge.kev, id)
      return {
        id,
        epss: epss && { score: epss.score, percentile: epss.percentile },
        kev: kev && { date_added: kev.date_added, ransomware: kev.ransomware },
      }
    }
    const { values, ...faults } = await each(
      ctx,
      weighed,
      ({ template }) => template,
      async (one) => resultOf(one, one.template.info.cve.map(lookUp), ctx),
    )
    return { results: values, ...faults }
  } finally {
    knowledge.close()
  }
}
