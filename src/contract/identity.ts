/** Identities of a domain: as whom its runs look, and how they become that. What is secret goes in and never comes out. */
import { z } from 'zod'
import { LoginTest } from './domain-login.ts'
import { HeaderLine, HeaderValue, IdentityName, Uuid } from './run.ts'
import { OAuth2SignIn, Proof, RequestSignIn, StepsSignIn } from './sign-in.ts'
import { Timestamp } from './time.ts'
import { Totp } from './totp.ts'

/** Identities that a domain keeps. */
export const MOST_IDENTITIES = 20
/** The one as which runs look that name none: the login that is stored with the domain. */
export const DEFAULT_IDENTITY = 'default'

export const IDENTITY_KINDS = ['header', 'cookie', 'steps', 'request', 'oauth2'] as const
export type IdentityKind = (typeof IDENTITY_KINDS)[number]

const Role = z.string().max(80).describe('What it may do, in your words: customer, editor, administrator')

const DETAILS = {
  header: HeaderLine.optional().describe('One header line, "Name: value"; with `kind: cookie` beside the cookie'),
  cookie: HeaderValue.optional().describe('Value of the Cookie header'),
  steps: StepsSignIn.optional(),
  request: RequestSignIn.optional(),
  oauth2: OAuth2SignIn.optional(),
  totp: Totp.optional(),
  proof: Proof.optional().describe('Needed where the scan signs in by itself'),
}
type Details = Readonly<z.output<z.ZodObject<typeof DETAILS>>>

const Kind = z.enum(IDENTITY_KINDS)

export const CreateIdentity = z
  .strictObject({ name: IdentityName, role: Role.default(''), kind: Kind, ...DETAILS })
  .superRefine((given, { addIssue }) => {
    for (const { path, message } of misfits(given)) addIssue({ code: 'custom', path: [path], message })
  })
export type CreateIdentity = z.infer<typeof CreateIdentity>

export const UpdateIdentity = z
  .strictObject({ name: IdentityName.optional(), role: Role.optional(), kind: Kind.optional(), ...DETAILS })
  .refine((body) => Object.keys(body).length > 0, 'names nothing to change')
export type UpdateIdentity = z.infer<typeof UpdateIdentity>

/** What does not go with the kind, or is missing. */
const misfits = (
  given: Details & { readonly kind: IdentityKind },
): readonly { readonly path: keyof Details; readonly message: string }[] => {
  const { kind } = given
  const signsIn = kind !== 'header' && kind !== 'cookie'
  const belongs = (name: keyof Details): boolean =>
    name === kind ||
    name === 'proof' ||
    (name === 'header' && kind === 'cookie') ||
    (name === 'totp' && (kind === 'steps' || kind === 'request'))
  const needed: readonly (keyof Details)[] = signsIn ? [kind, 'proof'] : [kind]
  return [
    ...needed.filter((name) => given[name] === undefined).map((path) => ({ path, message: 'is required' })),
    ...(Object.keys(DETAILS) as (keyof Details)[])
      .filter((name) => given[name] !== undefined && !belongs(name))
      .map((path) => ({ path, message: `means nothing with kind: ${kind}` })),
    ...(asksForCode(given) && given.totp === undefined
      ? [{ path: kind, message: 'asks for the code of a one-time password, and there is no totp' }]
      : []),
  ]
}

const asksForCode = ({ steps, request }: Details): boolean =>
  steps?.steps?.some((one) => one.do === 'totp' || (one.do === 'fill' && one.value.includes('{{totp}}'))) ||
  (request !== undefined && JSON.stringify(request).includes('{{totp}}'))

/** What is sealed of an identity that signs in by itself. */
export type SignIn = Pick<Details, 'steps' | 'request' | 'oauth2' | 'totp' | 'proof'>

export const Identity = z.strictObject({
  id: Uuid,
  name: IdentityName,
  role: Role,
  kind: Kind,
  parts: z.array(z.string()).describe('What it consists of: its kind, and beside it header or totp'),
  proof: Proof.nullable(),
  set_at: Timestamp,
  set_by: z.string().describe('Name of the key or member'),
  test: LoginTest.nullable().describe('What its last test came to; null: nobody has asked since it was set'),
})
export type Identity = z.infer<typeof Identity>

export const IdentityList = z.strictObject({ items: z.array(Identity) })

/** Addresses that a sign-in names, each with the place where it stands. */
export const addressesOf = ({ steps, request, oauth2 }: Pick<Details, 'steps' | 'request' | 'oauth2'>) => [
  ...(steps?.steps ?? []).flatMap((one, n) =>
    one.do === 'goto' ? [{ path: `steps.steps.${n}.url`, address: one.url }] : [],
  ),
  // What an answer names is looked at when it is there.
  ...(request?.requests ?? []).flatMap(({ url }, n) =>
    url.startsWith('{{') ? [] : [{ path: `request.requests.${n}.url`, address: url }],
  ),
  ...(oauth2 === undefined ? [] : [{ path: 'oauth2.token_url', address: oauth2.token_url }]),
]

/** Why a sign-in may not go there, null where it may: to the domain and the hosts that it lists, at the ports that go with them. */
export const strangeHost = (address: string, domain: string, hosts: readonly string[]): string | null => {
  if (address.startsWith('/')) return null
  const url = URL.parse(address)
  if (url === null) return 'is no address'
  const own = [domain, ...hosts].includes(url.host) && (url.protocol === 'https:' || url.host === domain)
  if (own) return null
  return `is of ${url.protocol}//${url.host}, which is neither ${domain} nor, by https, among its sign_in_hosts`
}
