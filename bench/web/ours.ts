/** The product over the sites: its engine, its crawl, its modules and its policy, signed in by the site's own form. */
import type { JudgedFinding } from '../../src/engine/judge.ts'
import type { Surroundings } from '../../testbed/web/case.ts'
import { type Entry, isCareless, type Site } from '../../testbed/web/site/plan.ts'
import { parameterOf, sentFor } from '../../testbed/web/site/requests.ts'
import { VISITOR } from '../../testbed/web/site/serve.ts'
import type { Bed, BedCase } from '../beds/bed.ts'
import { type BedScan, scanBed } from '../beds/scan.ts'
import { type Scored, scoreBed } from '../beds/score.ts'
import { startTarget, type Target } from './target.ts'

export interface SiteScore {
  readonly entries: readonly ScoredEntry[]
  readonly run: BedScan
  /** Confirmed by the modules that inject, and not so: on safe twins, or where no case is. */
  readonly alarms: readonly string[]
}

export interface ScoredEntry extends Scored {
  readonly entry: Entry
  readonly requests: number
}

export const MODULES = ['crawl', 'xss', 'sqli', 'injection', 'prototypes']

export interface Asked {
  readonly around: Surroundings
  readonly jitter: boolean
  readonly modules: readonly string[]
  /** For each scan. */
  readonly seconds: number
  readonly log: (line: string) => void
}

/** Requests a second; the product's own default is for the sites of others. */
const RATE = 200

export const scanSite = async (site: Site, { around, jitter, modules, seconds, log }: Asked): Promise<SiteScore> => {
  const target = await startTarget(site, around, jitter)
  try {
    const bed = bedOf(site, target)
    const run = await scanBed(bed, { modules, seconds, rate: RATE, budget: 1, log })
    const scored = new Map(scoreBed(bed, run).map((one) => [one.case.id, one]))
    const entries = site.entries.flatMap((entry): ScoredEntry[] => {
      const one = scored.get(entry.case.id)
      return one ? [{ ...found(one, entry), entry, requests: target.counts.get(entry.case.id) ?? 0 }] : []
    })
    return { entries, run, alarms: run.findings.filter((one) => isWrong(one, site)).map(said) }
  } finally {
    await target.close()
  }
}

/** What no stranger could make another's browser show is right when it is firm. */
const found = (one: Scored, { case: { firm } }: Entry): Scored =>
  one.verdict === 'unconfirmed' && one.case.vulnerable && firm ? { ...one, verdict: 'confirmed' } : one

const PROBING = /^(?:sqli|xss|injection|prototypes)\//

const isWrong = ({ check_id, confidence, places }: JudgedFinding, site: Site): boolean => {
  if (confidence !== 'confirmed' || !PROBING.test(check_id)) return false
  return !places.some(({ url }) => {
    const path = URL.parse(url ?? '')?.pathname
    const entry = site.entries.find((each) => each.path === path || path?.startsWith(`${each.path}/`))
    return entry !== undefined && isCareless(site, entry)
  })
}

const said = ({ check_id, places, detail }: JudgedFinding): string =>
  `${check_id} at ${places.map(({ url, method, parameter }) => `${method} ${url} ${parameter}`).join(', ')}: ${detail}`

const bedOf = (site: Site, { address }: Target): Bed => ({
  name: 'own-site',
  start: 'http://shop.test/',
  address,
  environment: 'test',
  ...{ cookie: null, header: null, exclude: [] },
  sign_in: {
    request: { requests: [{ url: '/sign-in', form: { user: VISITOR.user, password: VISITOR.password } }] },
    proof: { path: '/account', text: VISITOR.shown },
  },
  cases: site.entries.map((entry) => caseOf(entry, isCareless(site, entry))),
})

const caseOf = (entry: Entry, vulnerable: boolean): BedCase => {
  const { method, url } = sentFor(entry)
  return {
    ...{ id: entry.case.id, class: entry.case.class, group: entry.way, method, vulnerable },
    path: url.split('?')[0] ?? url,
    parameter: parameterOf(entry),
  }
}
