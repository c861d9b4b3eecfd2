/** The login that a domain keeps for scans. Its values come in by one request and go out by none. */
import { DEFAULT_IDENTITY } from '../../contract/identity.ts'
import { ProblemError } from '../../contract/problem.ts'
import { domainView } from '../../store/domains.ts'
import { askLoginTest, deleteIdentity, readLoginTest, setLogin } from '../../store/identities.ts'
import { sealCredentials } from '../../store/seal.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { callersDomain, demandReach, provenDomain } from './domains.ts'

export const loginRoutes = (services: Services): readonly Route[] => {
  const { db, keys } = services

  return [
    bind('setLogin', async ({ params, body, caller }) => {
      const { id } = await provenDomain(services, caller, params.id)
      const sealed = sealCredentials(keys, { cookie: body.auth_cookie, header: body.auth_header })
      if (sealed === null) throw new Error('A login without a value passed the schema')
      const kinds = [
        ...(body.auth_cookie === null ? [] : (['cookie'] as const)),
        ...(body.auth_header === null ? [] : (['header'] as const)),
      ]
      const login = { sealed, kinds, page: body.page, set_by: caller.actor.name }
      await setLogin(db, caller.organisation.id, id, login)
      return answer(200, domainView(await callersDomain(services, caller, id), services.requestsPerSecond))
    }),

    bind('deleteLogin', async ({ params, caller }) => {
      const { id, domain } = await callersDomain(services, caller, params.id)
      if ((await deleteIdentity(db, caller.organisation.id, id, LOGIN)) === null) throw noLogin()
      return about(domain, rawAnswer(204, null))
    }),

    bind(
      'testLogin',
      async ({ params, caller }) => {
        const proven = await provenDomain(services, caller, params.id)
        demandReach(proven)
        const { id, domain } = proven
        const test = await askLoginTest(db, caller.organisation.id, id, LOGIN)
        if (test === null) throw noLogin()
        return about(domain, answer(202, test))
      },
      // It makes requests to a target, as a start does.
      () => [{ limit: 'starts' }],
    ),

    bind('readLoginTest', async ({ params, caller }) => {
      const { id } = await callersDomain(services, caller, params.id)
      const test = await readLoginTest(db, caller.organisation.id, id, LOGIN)
      if (test === null) throw new ProblemError('login_test_not_found', 'Nobody has tested the stored login yet.')
      return answer(200, test)
    }),
  ]
}

/** The login of a domain is the identity of this name. */
const LOGIN = { name: DEFAULT_IDENTITY }

const noLogin = (): ProblemError => new ProblemError('login_not_found', 'No login is stored with the domain.')
