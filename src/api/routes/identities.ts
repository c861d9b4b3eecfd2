/** Identities of a domain. What is secret of them comes in by one request and goes out by none. */

import type { FieldErrors } from '../../contract/field-errors.ts'
import {
  addressesOf,
  CreateIdentity,
  type Identity,
  MOST_IDENTITIES,
  strangeHost,
  type UpdateIdentity,
} from '../../contract/identity.ts'
import { ProblemError } from '../../contract/problem.ts'
import { readRecording } from '../../sign-in/recording.ts'
import type { StoredDomain } from '../../store/domains.ts'
import {
  askLoginTest,
  createIdentity,
  deleteIdentity,
  getIdentity,
  listIdentities,
  type NewIdentity,
  readIdentityPicture,
  updateIdentity,
} from '../../store/identities.ts'
import { type Credentials, openCredentials, sealCredentials } from '../../store/seal.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { check } from '../validate.ts'
import { callersDomain, demandReach, provenDomain } from './domains.ts'

export const identityRoutes = (services: Services): readonly Route[] => {
  const { db, keys } = services

  const toStore = (given: CreateIdentity, domain: StoredDomain, setBy: string): NewIdentity => {
    const strange = addressesOf(given).flatMap(({ path, address }) => {
      const message = strangeHost(address, domain.domain, domain.signInHosts)
      return message === null ? [] : [{ path, message }]
    })
    if (strange.length > 0) throw invalid(strange)
    const sealed = sealCredentials(keys, credentialsOf(given))
    if (sealed === null) throw new Error('An identity without a value passed the schema')
    const { name, role, kind, proof = null } = given
    const beside = (['header', 'totp'] as const).filter((part) => part !== kind && given[part] !== undefined)
    return { name, role, parts: [kind, ...beside], proof, page: proof?.path ?? null, set_by: setBy, sealed }
  }

  return [
    bind('listIdentities', async ({ params, caller }) => {
      const { id } = await callersDomain(services, caller, params.id)
      return answer(200, { items: [...(await listIdentities(db, caller.organisation.id, id))] })
    }),

    bind('createIdentity', async ({ params, body, caller }) => {
      const domain = await provenDomain(services, caller, params.id)
      const whole = wholeOf(withSteps(body, domain.domain))
      const made = await createIdentity(
        db,
        caller.organisation.id,
        domain.id,
        toStore(whole, domain, caller.actor.name),
      )
      if (made === 'identity_exists') throw exists(body.name)
      if (made === 'too_many_identities')
        throw new ProblemError(made, `A domain keeps at most ${MOST_IDENTITIES} identities. Delete one first.`)
      if (made === 'domain_not_found') throw new ProblemError(made, 'The domain was removed meanwhile.')
      const location = `/v1/domains/${domain.id}/identities/${made.id}`
      return about(subjectOf(domain, made), answer(201, made, { Location: location }))
    }),

    bind('readIdentity', async ({ params, caller }) => {
      const { id } = await callersDomain(services, caller, params.id)
      const found = await getIdentity(db, caller.organisation.id, id, params.identity_id)
      if (found === null) throw missing()
      return answer(200, found.identity)
    }),

    bind('updateIdentity', async ({ params, body, caller }) => {
      const domain = await provenDomain(services, caller, params.id)
      const before = await getIdentity(db, caller.organisation.id, domain.id, params.identity_id)
      if (before === null) throw missing()
      const stored = openCredentials(keys, before.sealed)
      const whole = wholeOf(changed(before.identity, stored, withSteps(body, domain.domain)))
      const now = toStore(whole, domain, caller.actor.name)
      const made = await updateIdentity(db, caller.organisation.id, domain.id, before.identity.id, now)
      if (made === 'identity_not_found') throw missing()
      if (made === 'identity_exists') throw exists(now.name)
      return about(subjectOf(domain, made), answer(200, made))
    }),

    bind('deleteIdentity', async ({ params, caller }) => {
      const { id, domain } = await callersDomain(services, caller, params.id)
      const name = await deleteIdentity(db, caller.organisation.id, id, { id: params.identity_id })
      if (name === null) throw missing()
      return about(`${domain}: ${name}`, rawAnswer(204, null))
    }),

    bind(
      'testIdentity',
      async ({ params, caller }) => {
        const proven = await provenDomain(services, caller, params.id)
        demandReach(proven)
        const { id, domain } = proven
        const test = await askLoginTest(db, caller.organisation.id, id, { id: params.identity_id })
        if (test === null) throw missing()
        return about(domain, answer(202, test))
      },
      // It makes requests to a target, as a start does.
      () => [{ limit: 'starts' }],
    ),

    bind('readIdentityPicture', async ({ params, caller }) => {
      const { id } = await callersDomain(services, caller, params.id)
      const { identity_id, step } = params
      const jpeg = await readIdentityPicture(db, caller.organisation.id, id, identity_id, Number(step))
      if (jpeg === null) throw new ProblemError('picture_not_found', 'The last test has no picture of that step.')
      return rawAnswer(200, jpeg, { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store' })
    }),
  ]
}

const credentialsOf = ({ cookie, header, steps, request, oauth2, totp, proof }: CreateIdentity): Credentials => {
  const signIn = { steps, request, oauth2, totp, proof }
  const hasSignIn = Object.values(signIn).some((part) => part !== undefined)
  return { cookie: cookie ?? null, header: header ?? null, ...(hasSignIn ? { signIn } : {}) }
}

/** As if it were brought anew. */
const changed = (
  { name, role, kind }: Identity,
  { cookie, header, signIn = {} }: Credentials,
  change: UpdateIdentity,
): object => {
  const details = { cookie: cookie ?? undefined, header: header ?? undefined, ...signIn }
  const kept = change.kind === undefined || change.kind === kind ? details : { proof: signIn.proof }
  return withoutUndefined({ name, role, kind, ...kept, ...change })
}

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))

const subjectOf = ({ domain }: StoredDomain, { name }: Identity): string => `${domain}: ${name}`

/** A recording becomes steps once, where it is brought: what it has that is not known here is said then. */
const withSteps = <Given extends UpdateIdentity>(given: Given, domain: string): Given => {
  const { steps } = given
  if (steps?.recording === undefined) return given
  const { recording, ...rest } = steps
  const read = readRecording(recording, domain)
  const path = 'steps.recording'
  if (typeof read === 'string') throw invalid([{ path, message: read }])
  const [first] = read.left
  if (first !== undefined) throw invalid([{ path, message: `has a step of type ${first}, which is not known here` }])
  return { ...given, steps: { ...rest, steps: [...read.steps] } }
}

const wholeOf = (given: object): CreateIdentity => {
  const whole = check(CreateIdentity, given, 'body')
  if (!whole.ok) throw invalid(whole.errors)
  return whole.value as CreateIdentity
}

const missing = (): ProblemError => new ProblemError('identity_not_found', 'The domain has no identity of this id.')
const exists = (name: string): ProblemError =>
  new ProblemError('identity_exists', `The domain has an identity called "${name}" already.`)

const invalid = (errors: FieldErrors): ProblemError =>
  new ProblemError(
    'validation_failed',
    `${errors.length === 1 ? 'One field is' : `${errors.length} fields are`} not valid.`,
    {
      errors,
    },
  )
