/** How a scan signs in by itself: by requests, by steps in a browser, by OAuth2; and by what it knows that it is signed in. */
import { z } from 'zod'
import { HeaderLine, HeaderValue } from './run.ts'

/** Where `{{name}}` is written, the value of that name is sent: `totp`, or what an earlier answer gave. */
const Template = z.string().max(8_192)
const Name = z
  .string()
  .regex(/^[A-Za-z]\w{0,39}$/, 'must be a letter, then letters, digits and underscores')
  .refine((name) => name !== 'totp', 'is the code of the one-time password already')
const Address = z
  .string()
  .max(2_000)
  .regex(/^(?:\/(?![/\\])[!-~]*|https?:\/\/[!-~]+)$/, 'must be a path such as /login, or an http or https address')
  .describe('A path of the domain, or an address of it or of one of its `sign_in_hosts`')

export const ProofPath = z
  .string()
  .max(2_000)
  .regex(/^\/(?:[!-"$-[\]-~]*)$/, 'must be a path such as /account, in printable ASCII')

export const Proof = z
  .strictObject({
    path: ProofPath.describe('Path of a page of the domain that looks different to whoever is signed in'),
    text: z.string().min(1).max(200).optional().describe('What it shows then, and to nobody else'),
    status: z.int().min(100).max(599).optional().describe('What it answers then, redirects not followed'),
    json: z
      .record(z.string().max(200), z.unknown())
      .optional()
      .describe(
        'Sent there as application/json by POST; without it, GET. The member of the session empty, as in `"auth": ""`',
      ),
  })
  .refine(({ text, status }) => text !== undefined || status !== undefined, 'needs a text or a status')
  .describe('By what it is known that one is signed in')
export type Proof = z.infer<typeof Proof>

/** One way to find a value in an answer. */
const Place = z
  .strictObject({
    field: z.string().min(1).max(200).optional().describe('Name of a form field of the page'),
    meta: z.string().min(1).max(200).optional().describe('Name of a meta element of the page'),
    pointer: z
      .string()
      .max(500)
      .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'must be a JSON pointer (RFC 6901) such as /data/token')
      .optional()
      .describe('JSON pointer (RFC 6901) into the answer'),
    header: z.string().min(1).max(200).optional().describe('Name of a header of the answer'),
    cookie: z.string().min(1).max(200).optional().describe('Name of a cookie that the answers have set'),
    action: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Name of a form field of the page: the address that its form is sent to'),
  })
  .refine((place) => Object.values(place).filter((one) => one !== undefined).length === 1, {
    message: 'names one place: field, meta, pointer, header, cookie or action',
  })
export type Place = z.infer<typeof Place>

const Fields = z.record(z.string().min(1).max(200), Template)
const MOST_REQUESTS = 10

export const SignInRequest = z
  .strictObject({
    url: z
      .union([Address, z.string().regex(/^\{\{[A-Za-z]\w{0,39}\}\}$/)], {
        error: 'must be a path such as /login, an http or https address, or a value that was read, as {{action}}',
      })
      .describe('A path of the domain, an address of it or of one of its `sign_in_hosts`, or one that was read'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).optional().describe('POST with a body, GET without'),
    headers: Fields.optional(),
    form: Fields.optional().describe('Sent as application/x-www-form-urlencoded'),
    json: z.unknown().optional().describe('Sent as application/json'),
    read: z.record(Name, Place).optional().describe('What later requests need of the answer, by name'),
    status: z.int().min(100).max(599).optional().describe('What it has to answer; without it, anything below 400'),
  })
  .refine(({ form, json }) => form === undefined || json === undefined, {
    path: ['form'],
    message: 'cannot be combined with json',
  })
export type SignInRequest = z.infer<typeof SignInRequest>

export const RequestSignIn = z
  .strictObject({
    requests: z.array(SignInRequest).min(1).max(MOST_REQUESTS).describe('Sent one after the other'),
    header: HeaderLine.optional().describe('Sent with every later request, e.g. "Authorization: Bearer {{token}}"'),
    cookie: HeaderValue.optional().describe('The same as a cookie, e.g. "token={{token}}", beside those that were set'),
    member: z
      .strictObject({ name: z.string().regex(/^[\w.$-]{1,80}$/), value: Template.min(1) })
      .optional()
      .describe(
        'Of interfaces that want the session in the body: the member of JSON, e.g. `auth`, and its value, `{{token}}`',
      ),
  })
  .describe('Requests that sign in; cookies that the answers set are kept')
export type RequestSignIn = z.infer<typeof RequestSignIn>

export const OAuth2SignIn = z
  .strictObject({
    grant: z.enum(['client_credentials', 'refresh_token'], {
      error:
        'must be client_credentials or refresh_token; where people are sent to a page, sign in by steps, or bring the refresh token that it gave',
    }),
    token_url: Address,
    client_id: z.string().min(1).max(1_000),
    client_secret: z.string().min(1).max(4_000).optional(),
    client_auth: z
      .enum(['basic', 'body'])
      .default('basic')
      .describe('How the client says who it is: HTTP Basic, or fields of the body (RFC 6749, 2.3.1)'),
    refresh_token: z.string().min(1).max(8_000).optional().describe('Needed with that grant'),
    scope: z.string().min(1).max(1_000).optional(),
    parameters: Fields.optional().describe('More fields of the request, e.g. audience or resource'),
  })
  .superRefine((given, { addIssue }) => {
    if (given.grant === 'refresh_token' && given.refresh_token === undefined)
      addIssue({ code: 'custom', path: ['refresh_token'], message: 'is required' })
    if (given.grant === 'client_credentials' && given.client_secret === undefined)
      addIssue({ code: 'custom', path: ['client_secret'], message: 'is required' })
  })
  .describe('An access token by OAuth 2.0 (RFC 6749), sent as `Authorization: Bearer`')
export type OAuth2SignIn = z.infer<typeof OAuth2SignIn>

const Selectors = z
  .union([z.string().min(1).max(1_000), z.array(z.string().min(1).max(1_000)).min(1).max(10)])
  .describe(
    'CSS, or as Chrome DevTools records it: aria/…, text/…, xpath/…, pierce/…; of several the first that is there',
  )

/** Seconds of one step. */
const Wait = z.int().min(1).max(60)
const step = <const Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ do: z.literal(kind), ...shape, seconds: Wait.optional().describe('Until the step has failed; 30') })

export const SignInStep = z.discriminatedUnion('do', [
  step('goto', { url: Address }),
  step('fill', { on: Selectors, value: Template }),
  step('click', { on: Selectors }),
  step('press', { key: z.string().min(1).max(40).describe('As KeyboardEvent.key names it: Enter, Tab') }),
  step('wait', { on: Selectors.optional(), text: z.string().min(1).max(200).optional() }),
  step('totp', { on: Selectors }),
])
export type SignInStep = z.infer<typeof SignInStep>

const MOST_STEPS = 60

export const StepsSignIn = z
  .strictObject({
    steps: z.array(SignInStep).min(1).max(MOST_STEPS).optional(),
    recording: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('In place of steps: what the recorder of Chrome DevTools exports as JSON; it is kept as steps'),
    header: z
      .strictObject({
        storage: z.enum(['local', 'session']),
        key: z.string().min(1).max(200),
        pointer: z.string().max(500).optional().describe('JSON pointer into what is stored there'),
        line: HeaderLine.describe('Sent with every later request, e.g. "Authorization: Bearer {{value}}"'),
      })
      .optional()
      .describe(
        'Where the page keeps its token outside of cookies. Default: the header that its scripts send with what it keeps',
      ),
  })
  .refine(({ steps, recording }) => (steps === undefined) !== (recording === undefined), {
    path: ['steps'],
    message: 'or recording is needed, and not both',
  })
  .describe('Steps in a browser; the cookies that it has in the end are kept')
export type StepsSignIn = z.infer<typeof StepsSignIn>
