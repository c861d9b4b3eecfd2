/** What of a sign-in is secret, to be hidden from people wherever it comes back. */
import type { SignIn } from '../contract/identity.ts'

export interface NamedValue {
  /** Of a field, a selector or a header. */
  readonly name: string
  readonly value: string
}

/** Everything that is typed or sent, but for what says who somebody is or what is wanted. */
export const secretsOf = ({ steps, request, oauth2, totp }: SignIn): readonly NamedValue[] => [
  ...(totp === undefined ? [] : seedsOf(totp.secret).map((value) => ({ name: 'seed', value }))),
  ...(oauth2 === undefined
    ? []
    : [
        { name: 'client_secret', value: oauth2.client_secret ?? '' },
        { name: 'refresh_token', value: oauth2.refresh_token ?? '' },
        ...fieldsOf(oauth2.parameters ?? {}),
      ]),
  ...(steps?.steps ?? []).flatMap((one) =>
    one.do === 'fill' ? [{ name: [one.on].flat().join(' '), value: one.value }] : [],
  ),
  ...(request?.requests ?? []).flatMap(({ headers = {}, form = {}, json }) => [
    ...Object.entries(headers).map(([name, value]) => ({ name: `secret ${name}`, value })),
    ...fieldsOf(form),
    ...textsOf(json, ''),
  ]),
]

/** Alone, too, where it stands in an address. */
const seedsOf = (secret: string): readonly string[] => {
  const own = URL.parse(secret)?.searchParams.get('secret')
  return [secret, ...(own ? [own] : []), (own ?? secret).replace(/[\s-]/g, '')]
}

const fieldsOf = (fields: Readonly<Record<string, string>>): readonly NamedValue[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))

const textsOf = (value: unknown, name: string): readonly NamedValue[] => {
  if (typeof value === 'string') return [{ name, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, Array.isArray(value) ? name : key))
}
