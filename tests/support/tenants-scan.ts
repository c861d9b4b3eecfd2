/** Scans of the application of two companies and three roles, as some of its people: what was found, and whether it was planted. */
import { asIdentity, type TenantsOptions, type TenantsSite, tenantsSite } from '../../testbed/tenants/server.ts'
import { signInOf } from '../../testbed/tenants/sign-in.ts'
import { FLAWS } from '../../testbed/tenants/truth.ts'
import { type ScannedAs, scanAs } from './scan-as.ts'

const ROLES = ['administrator', 'member', 'administrator', 'member', 'viewer']

export interface TenantsScanned extends ScannedAs {
  readonly site: TenantsSite
}

export interface TenantsWanted extends TenantsOptions {
  /** Places of users, the first being the run's own. */
  readonly who: readonly number[]
  readonly environment: 'test' | 'production'
}

export const scanTenants = async ({ who, environment, ...options }: TenantsWanted): Promise<TenantsScanned> => {
  const site = tenantsSite(options)
  const people = who.map((n) => {
    const user = site.data.users[n]
    if (user === undefined) throw new Error('no such user')
    const credentials =
      options.signIn === undefined
        ? asIdentity(user)
        : { cookie: null, header: null, signIn: signInOf(options.signIn, user) }
    return { name: user.name.split(' ')[0] ?? '', role: ROLES[n] ?? '', credentials }
  })
  return { site, ...(await scanAs({ answer: site.answer, people, environment })) }
}

const KINDS = {
  object: 'object-level',
  function: 'function-level',
  authentication: 'missing-authentication',
  open: 'open-administration',
} as const
/** `object-level GET /api/orders/{}`, places without names. */
export const flawsOf = ({ facts }: TenantsScanned, confidence = 'confirmed'): ReadonlySet<string> =>
  new Set(
    facts.flaws
      .filter((flaw) => flaw.confidence === confidence)
      .map(({ kind, name }) => `${KINDS[kind]} ${name.replace(/\?.*$/, '')}`),
  )
export const nameless = (route: string): string => route.replace(/\{\w+\}/g, '{}')
export const PLANTED = Object.entries(FLAWS).map(([route, kind]) => `${kind} ${nameless(route)}`)

/** The most requests that one operation was asked by others than the first, and by each on average. That of the proof is asked as often as it is proven. */
export const requestsOf = ({ site, facts }: TenantsScanned): { readonly most: number; readonly average: number } => {
  const others = site.data.users.slice(1).map(({ name }) => name)
  const counts = [...site.counts].filter(
    ([key]) => others.some((name) => key.endsWith(`as ${name}`)) && !(site.door && key.startsWith('GET /api/me ')),
  )
  return {
    most: Math.max(0, ...counts.map(([, n]) => n)),
    average: Math.max(...Object.values(facts.requests)) / facts.rows.length,
  }
}
