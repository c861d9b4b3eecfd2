/** What the form of an identity holds, and what the service is sent of it. Pure. */
import type { CreateIdentity, Identity, IdentityKind } from '../../src/contract/identity.ts'

/** Where later requests carry a token. */
export type TokenIn = 'header' | 'member'
export type SentAs = 'form' | 'json'
type Grant = NonNullable<CreateIdentity['oauth2']>['grant']

/** Texts as they are typed; empty where nothing is. Names are those of the request's body, where it has the field. */
export const NO_IDENTITY = {
  ...{ name: '', role: '', kind: 'steps' as IdentityKind, header: '', cookie: '' },
  /** Of an identity that is changed: what its kind consists of is brought anew. */
  replaced: false,
  /** JSON: our list of steps, or a recording of Chrome DevTools. */
  steps: '',
  request: {
    /** JSON of all of it, in place of the fields. */
    ...{ asJson: false, whole: '' },
    ...{ url: '', sent: 'form' as SentAs },
    fields: [
      { name: 'username', value: '' },
      { name: 'password', value: '' },
    ],
    /** A page whose form has a hidden field that goes along. */
    ...{ page: '', field: '' },
    /** Where the answer has the token, and what later requests have it in: a header line, or a member of their JSON. */
    ...{ pointer: '', carried: 'header' as TokenIn, header: 'Authorization: Bearer {{token}}', member: '' },
  },
  oauth2: {
    ...{ grant: 'client_credentials' as Grant, token_url: '', client_id: '', client_secret: '' },
    ...{ client_auth: 'basic' as 'basic' | 'body', refresh_token: '', scope: '', parameters: '' },
  },
  totp: { secret: '' },
  /** With `json`, what is sent there. */
  proof: { path: '', text: '', status: '', json: '' },
  /** The hosts elsewhere that the sign-in names are listed with the domain. */
  listed: false,
}
export type IdentityValues = typeof NO_IDENTITY

/** Of one that is kept: all but what is secret. */
export const valuesOf = ({ name, role, kind, proof }: Identity): IdentityValues => ({
  ...{ ...NO_IDENTITY, name, role, kind },
  proof: {
    ...{ path: proof?.path ?? '', text: proof?.text ?? '', status: String(proof?.status ?? '') },
    json: proof?.json === undefined ? '' : JSON.stringify(proof.json),
  },
})

type Details = Omit<CreateIdentity, 'name' | 'role' | 'kind'>

/** `kept`: the identity as it is stored, of which nothing is sent that stays. @throws SyntaxError for what is no JSON */
export const bodyOf = (values: IdentityValues, kept: Identity | null): CreateIdentity => {
  const { name, role, kind } = values
  const isAnew = kept === null || kept.kind !== kind || values.replaced
  return { name, role, kind, ...(isAnew ? detailsOf(values) : {}), ...totpOf(values), ...proofOf(values.proof) }
}

const detailsOf = (values: IdentityValues): Details => {
  const header = values.header.trim()
  switch (values.kind) {
    case 'header':
      return { header }
    case 'cookie':
      return { cookie: values.cookie.trim(), ...(header === '' ? {} : { header }) }
    case 'steps':
      return { steps: stepsOf(values.steps) }
    case 'request':
      return { request: requestOf(values.request) }
    case 'oauth2':
      return { oauth2: oauth2Of(values.oauth2) }
  }
}

const totpOf = ({ kind, totp }: IdentityValues): Details =>
  (kind === 'steps' || kind === 'request') && totp.secret.trim() !== '' ? { totp: { secret: totp.secret.trim() } } : {}

const proofOf = ({ path, text, status, json }: IdentityValues['proof']): Details =>
  [path, text, status, json].every((part) => part.trim() === '')
    ? {}
    : {
        proof: {
          path: path.trim(),
          ...(text.trim() === '' ? {} : { text: text.trim() }),
          ...(status.trim() === '' ? {} : { status: Number(status) }),
          ...(json.trim() === '' ? {} : { json: JSON.parse(json) }),
        },
      }

/** What a list of steps is, a recording, or all that the interface takes, by its own look. @throws SyntaxError */
const stepsOf = (text: string): NonNullable<CreateIdentity['steps']> => {
  const given: unknown = JSON.parse(text)
  if (Array.isArray(given)) return { steps: given }
  const { steps } = given as { readonly steps?: unknown }
  const isRecording = Array.isArray(steps) && steps.some((one: unknown) => hasText(one, 'type'))
  return isRecording ? { recording: given as Record<string, unknown> } : (given as { steps: never[] })
}

const hasText = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'string'

const HIDDEN = 'hidden'
const TOKEN = 'token'

const requestOf = (given: IdentityValues['request']): NonNullable<CreateIdentity['request']> => {
  if (given.asJson) return JSON.parse(given.whole)
  const { url, sent, page, field, pointer } = given
  const fields = [
    ...given.fields.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
    ...(page.trim() === '' ? [] : [[field.trim(), `{{${HIDDEN}}}`]]),
  ]
  return {
    requests: [
      ...(page.trim() === '' ? [] : [{ url: page.trim(), read: { [HIDDEN]: { field: field.trim() } } }]),
      {
        ...{ url: url.trim(), [sent]: Object.fromEntries(fields) },
        ...(pointer.trim() === '' ? {} : { read: { [TOKEN]: { pointer: pointer.trim() } } }),
      },
    ],
    ...(pointer.trim() === '' ? {} : carriedOf(given)),
  }
}

const carriedOf = ({ carried, header, member }: IdentityValues['request']) =>
  carried === 'header' ? { header: header.trim() } : { member: { name: member.trim(), value: `{{${TOKEN}}}` } }

const oauth2Of = (given: IdentityValues['oauth2']): NonNullable<CreateIdentity['oauth2']> => {
  const { grant, client_auth, parameters } = given
  const filled = (name: 'client_secret' | 'refresh_token' | 'scope') =>
    given[name].trim() === '' || (name === 'refresh_token' && grant !== name) ? {} : { [name]: given[name].trim() }
  const more = pairsOf(parameters)
  return {
    ...{ grant, client_auth, token_url: given.token_url.trim(), client_id: given.client_id.trim() },
    ...{ ...filled('client_secret'), ...filled('refresh_token'), ...filled('scope') },
    ...(more.length === 0 ? {} : { parameters: Object.fromEntries(more) }),
  }
}

/** Lines of `name=value`. */
const pairsOf = (text: string): [name: string, value: string][] =>
  text.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf('=')
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
  })

/** Where the form shows what the service says of a path of the body. */
export const fieldAt = (path: string, { kind, request }: IdentityValues): string => {
  if (path === 'proof') return 'proof.text'
  if (path.startsWith('proof.json')) return 'proof.json'
  if (path.startsWith('request.member')) return 'request.member'
  if (path === 'steps' || kind !== 'request' || !/^request\b/.test(path)) return path
  if (request.asJson) return path.replace('request', 'request.whole')
  const at = request.page.trim() === '' ? 0 : 1
  const [, place, rest = ''] = /^request\.requests\.(\d)\.(.+)$/.exec(path) ?? []
  if (place === undefined) return path === 'request' ? 'request.fields' : path
  if (Number(place) !== at) return rest === 'url' ? 'request.page' : 'request.field'
  if (rest === 'url') return 'request.url'
  return rest.startsWith('read') ? 'request.pointer' : rest.replace(/^(?:form|json)/, 'request.fields')
}

/** Hosts that a sign-in names beside the domain, each once; none while it cannot be read. */
export const hostsOf = (values: IdentityValues, domain: string): readonly string[] => {
  const addresses = addressesIn(values)
  const hosts = addresses.flatMap((address) => URL.parse(address)?.host || [])
  return [...new Set(hosts)].filter((host) => host !== domain)
}

const addressesIn = (values: IdentityValues): readonly string[] => {
  if (values.kind === 'oauth2') return [values.oauth2.token_url]
  if (values.kind === 'request' && !values.request.asJson) return [values.request.url, values.request.page]
  const text = values.kind === 'steps' ? values.steps : values.kind === 'request' ? values.request.whole : ''
  const given = jsonOf(text)
  const list = Array.isArray(given) ? given : (listIn(given, 'steps') ?? listIn(given, 'requests') ?? [])
  return list.flatMap((one: unknown) => (hasText(one, 'url') ? [(one as { url: string }).url.trim()] : []))
}

const listIn = (value: unknown, name: string): readonly unknown[] | null => {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null
  return Array.isArray(list) ? list : null
}

/** Undefined where it is none: while it is being typed, that is nobody's fault. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** How many steps a text has, null where it is no list of steps and no recording. */
export const stepCount = (text: string): number | null => {
  const given = jsonOf(text)
  return (Array.isArray(given) ? given : listIn(given, 'steps'))?.length ?? null
}
