/** The organisation and key that the first start makes, so that there is something to begin with. */
import { rmSync } from 'node:fs'
import { BUILT_IN_PLANS, SCOPES } from '../contract/organisation.ts'
import { authenticate, createKey } from '../store/api-keys.ts'
import { createOrganisation, listOrganisations } from '../store/organisations.ts'
import { firstKeyPath, readFirstKey } from './first-key.ts'
import { createPrivate } from './private-file.ts'
import type { Runtime } from './runtime.ts'

export interface FirstOrganisation {
  readonly organisationId: string
  /** Null once it was revoked: then the operator wants it so. */
  readonly apiKey: string | null
  /** Whether this start has made it. */
  readonly made: boolean
}

/** The database keeps only the key's hash; the file of mode 0600 keeps it for people and for `--json`. */
export const firstOrganisation = async ({ config, db }: Pick<Runtime, 'config' | 'db'>): Promise<FirstOrganisation> => {
  const known = readFirstKey(config.dataDir)
  if (known !== null) {
    const valid = await authenticate(db, known.api_key)
    if (valid !== null) return { organisationId: valid.organisation.id, apiKey: known.api_key, made: false }
    const organisations = await listOrganisations(db)
    // Another database than the file's: the key is of no use here, and is no reason to make one unasked.
    const owner = organisations.find((each) => each.id === known.organisation_id) ?? organisations[0]
    if (owner !== undefined) return { organisationId: owner.id, apiKey: null, made: false }
  }
  const plan = (config.plans.find((each) => each.id === 'enterprise') ?? config.plans.at(-1) ?? BUILT_IN_PLANS[0])?.id
  if (plan === undefined) throw new Error('There is no plan')
  const [oldest] = await listOrganisations(db)
  const organisation = oldest ?? (await createOrganisation(db, { name: 'First organisation', plan }))
  const { secret } = await createKey(db, {
    organisationId: organisation.id,
    name: 'first key',
    scopes: [...SCOPES],
    expiresAt: null,
  })
  const content = `${JSON.stringify({ organisation_id: organisation.id, api_key: secret })}\n`
  // A key of a database that is no more: the file speaks for this one from now on.
  if (known !== null) rmSync(firstKeyPath(config.dataDir), { force: true })
  if (!createPrivate(firstKeyPath(config.dataDir), content)) {
    // Another process of the same folder was faster; its key is as good.
    return firstOrganisation({ config, db })
  }
  return { organisationId: organisation.id, apiKey: secret, made: true }
}
