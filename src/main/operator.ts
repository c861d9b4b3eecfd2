/** The operator's verbs on an open database. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { z } from 'zod'
import type { Domain } from '../contract/domain.ts'
import { parseDomainName, splitDomain } from '../contract/domain-name.ts'
import {
  type Operator,
  OperatorError,
  type OperatorInput,
  type OperatorOutput,
  type OperatorVerb,
} from '../contract/operator.ts'
import type { Organisation } from '../contract/organisation.ts'
import { NO_COUNTS } from '../contract/run.ts'
import { createKey, listKeys, revokeKey } from '../store/api-keys.ts'
import type { Database } from '../store/database.ts'
import {
  createDomain,
  domainView,
  listDomains,
  type StoredDomain,
  setVerified,
  updateDomain,
} from '../store/domains.ts'
import { eraseOrganisation, readErasure } from '../store/erasures.ts'
import { listHolds, releaseRuns, stopRuns } from '../store/holds.ts'
import { loadModules } from '../store/modules.ts'
import {
  createOrganisation,
  getOrganisation,
  listOrganisations,
  setLogo,
  setOrganisation,
} from '../store/organisations.ts'
import { getAnyRun } from '../store/runs.ts'
import { allSigningKeys, replaceSigningKey, revokeSigningKey } from '../store/signing-keys.ts'
import { temporaryFolder } from '../temporary/temporary.ts'
import { prepareLogoNow } from './prepare-logo.ts'
import { rotateSecret } from './rotate-secret.ts'
import type { Runtime } from './runtime.ts'
import { selfCheck } from './self-check.ts'
import { VERSION } from './version.ts'

type Verbs = { readonly [Verb in OperatorVerb]: (input: OperatorInput<Verb>) => Promise<OperatorOutput<Verb>> }

/** Years that the operator's word for a domain holds. */
const VOUCHED_YEARS = 10

/** Closing the operator leaves the runtime open: it is not its own. */
export const createOperator = (runtime: Runtime): Operator => {
  const verbs = verbsOf(runtime)
  return { call: (verb, input) => verbs[verb](input), close: async () => undefined }
}

const verbsOf = (runtime: Runtime): Verbs => {
  const { db, config, storage, address } = runtime
  const knownPlan = (plan: string): void => {
    if (config.plans.some((each) => each.id === plan)) return
    throw new OperatorError(`There is no plan "${plan}"; there are ${config.plans.map((each) => each.id).join(', ')}`)
  }
  return {
    service: async () => ({
      version: VERSION,
      pid: process.pid,
      base_url: address.baseUrl,
      database: db.kind,
      storage: storage.kind,
    }),
    self_check: () => selfCheck(runtime),
    holds: () => listHolds(db),
    hold: async ({ organisation }) => holdOf(db, await idOf(db, organisation)),
    stop_all: async ({ organisation, reason }) => {
      const organisationId = await idOf(db, organisation)
      await stopRuns(db, { organisationId, heldBy: 'the operator', reason })
      const hold = await holdOf(db, organisationId)
      if (hold === null) throw new OperatorError('The queue was released at the same moment')
      return hold
    },
    release: async ({ organisation }) => {
      const organisationId = await idOf(db, organisation)
      return { released: await releaseRuns(db, organisationId), holds: await listHolds(db) }
    },
    snapshot: async () => ({ folder: await snapshotOf(runtime) }),
    plan_list: async () => [...config.plans],
    hosts: async () => Object.entries(config.hosts).map(([name, addresses]) => ({ name, addresses: [...addresses] })),
    org_list: () => listOrganisations(db),
    org_create: async ({ name, plan }) => {
      knownPlan(plan)
      const known = await listOrganisations(db)
      if (known.some((each) => each.name === name))
        throw new OperatorError(`There is an organisation "${name}" already`)
      return createOrganisation(db, { name, plan })
    },
    org_set: async ({ organisation, logo, ...change }) => {
      if (change.plan !== undefined) knownPlan(change.plan)
      const { id } = await organisationOf(db, organisation)
      if (logo !== undefined) await setLogo(db, id, logo === null ? null : await logoOf(logo))
      const now = await setOrganisation(db, id, change)
      if (now === null) throw new OperatorError('The organisation is gone')
      return now
    },
    org_erase: async ({ organisation, confirm }) => {
      const { id, name } = await organisationOf(db, organisation)
      if (confirm !== name) throw new OperatorError(`--confirm has to be its name, "${name}"`)
      const made = await eraseOrganisation(db, { organisationId: id, askedBy: 'the operator' })
      if (made === 'organisation_not_found') throw new OperatorError('The organisation is gone')
      if (made === 'organisation_in_use')
        throw new OperatorError(
          'A run of the organisation has not ended ("sonde stop-all --org" ends them), or a report of one is being made',
        )
      return made
    },
    erasure: ({ id }) => readErasure(db, null, id),
    key_create: async ({ organisation, name, scopes, expires_at }) => {
      const { id } = await organisationOf(db, organisation)
      const expiresAt = expires_at === null ? null : new Date(expires_at)
      return createKey(db, { organisationId: id, name, scopes: [...new Set(scopes)], expiresAt })
    },
    key_list: async ({ organisation }) => listKeys(db, (await organisationOf(db, organisation)).id),
    key_revoke: async ({ id }) => {
      const key = await revokeKey(db, id)
      if (key === null) throw new OperatorError(`There is no key ${id}`)
      return key
    },
    rotate_secret: ({ at_once }) => rotateSecret(runtime, at_once),
    rotate_signing: async () => {
      const before = (await allSigningKeys(db)).find(({ retiredAt }) => retiredAt === null)?.fingerprint ?? null
      return { fingerprint: (await replaceSigningKey(db, runtime.keys)).fingerprint, before }
    },
    revoke_signing: async (input) => {
      const done = await revokeSigningKey(db, runtime.keys, input)
      if (!done?.revoked.revoked) throw new OperatorError(`This installation has never signed by ${input.fingerprint}`)
      const { revoked, present } = done
      return {
        ...{ fingerprint: revoked.fingerprint, present: present.fingerprint },
        revoked_at: done.revoked.revoked.at.toISOString(),
      }
    },
    domain_add: async (input) => addDomain(db, config, await organisationOf(db, input.organisation), input),
    judge: async ({ run_id }) => judge(db, run_id),
  }
}

/** A copy of the embedded database, for a process that reads it at leisure while this one goes on. */
const snapshotOf = async ({ db, config }: Runtime): Promise<string> => {
  if (db.snapshot === null) throw new OperatorError('The database is PostgreSQL: it is read where it is')
  const folder = await temporaryFolder('snapshot')
  try {
    await db.snapshot(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return relative(config.dataDir, folder)
}

/** Null stays null: it means all. */
const idOf = async (db: Database, name: string | null): Promise<string | null> =>
  name === null ? null : (await organisationOf(db, name)).id

const holdOf = async (db: Database, organisationId: string | null): Promise<OperatorOutput<'hold'>> =>
  (await listHolds(db)).find(({ organisation_id }) => organisation_id === organisationId) ?? null

/** By id, by exact name, or the only one. */
const organisationOf = async (db: Database, name: string | null): Promise<Organisation> => {
  const byId = name !== null && z.uuid().safeParse(name).success ? await getOrganisation(db, name) : null
  if (byId !== null) return byId
  const all = await listOrganisations(db)
  const matching = name === null ? all : all.filter((each) => each.name === name)
  const [only] = matching
  if (only !== undefined && matching.length === 1) return only
  const names = all.map((each) => `"${each.name}"`).join(', ')
  if (name === null && all.length > 1) throw new OperatorError(`Say which organisation: ${names}`)
  if (matching.length > 1) throw new OperatorError(`Several organisations are called "${name}": give the id`)
  if (all.length === 0)
    throw new OperatorError(
      'There is no organisation yet: the first start of "sonde serve" makes one with its key, or "sonde org create"',
    )
  throw new OperatorError(`There is no organisation "${name}"; there are ${names}`)
}

const addDomain = async (
  db: Database,
  config: Runtime['config'],
  organisation: Organisation,
  { domain, context, environment, verified }: OperatorInput<'domain_add'>,
): Promise<Domain> => {
  const rules = {
    hosts: new Set(Object.keys(config.hosts)),
    allowPorts: config.allowTargetPorts,
  }
  const name = parseDomainName(domain, rules)
  if (!name.ok) throw new OperatorError(`"${domain}" ${name.message}`)
  const token = randomBytes(16).toString('base64url')
  const made = await createDomain(db, {
    ...{ organisationId: organisation.id, domain: name.domain, context, token },
    ...(environment === undefined ? {} : { environment }),
  })
  const stored = made === 'domain_exists' ? await findDomain(db, organisation.id, name.domain) : made
  if (made === 'domain_exists' && !verified) throw new OperatorError(`${name.domain} is registered already`)
  if (!verified) return domainView(stored, config.targetRequestsPerSecond)
  const at = new Date()
  const until = new Date(at)
  until.setUTCFullYear(at.getUTCFullYear() + VOUCHED_YEARS)
  await setVerified(db, stored.id, { at, until, vouched: true })
  const now = await updateDomain(db, organisation.id, stored.id, { environment })
  return domainView(now ?? stored, config.targetRequestsPerSecond)
}

const findDomain = async (db: Database, organisationId: string, domain: string): Promise<StoredDomain> => {
  let after: { createdAt: Date; id: string } | null = null
  for (;;) {
    const page: StoredDomain[] = await listDomains(db, organisationId, { limit: 100, after })
    const found = page.find((each) => each.domain === domain)
    if (found !== undefined) return found
    const last = page.at(-1)
    if (last === undefined) throw new OperatorError(`There is no domain ${domain}`)
    after = { createdAt: last.createdAt, id: last.id }
  }
}

const judge = async (db: Database, runId: string): Promise<OperatorOutput<'judge'>> => {
  const run = await getAnyRun(db, runId)
  if (run === null) throw new OperatorError(`There is no run ${runId}`)
  const stored = await loadModules(db, runId)
  if (run.started_at === null || stored.length === 0) throw new OperatorError(`Run ${runId} has no facts to judge`)
  const { judgeStored } = await import('../engine/judge-stored.ts')
  const { host, port } = splitDomain(run.domain)
  const judged = judgeStored(stored, {
    target: { host, port, context: run.context, tier: run.tier, environment: run.environment },
    options: run.options,
    now: Date.parse(run.started_at),
  })
  const counts = { ...NO_COUNTS }
  for (const { severity } of judged.findings) counts[severity] += 1
  return {
    run_id: runId,
    domain: run.domain,
    grade: judged.grade,
    counts,
    findings: [...judged.findings],
    coverage: [...judged.coverage],
  }
}

/** As reports use it: PNG or PDF, checked. */
const logoOf = async (base64: string): Promise<Buffer> => {
  const made = await prepareLogoNow(Buffer.from(base64, 'base64'))
  if ('problem' in made) throw new OperatorError(made.problem)
  return made.body
}
