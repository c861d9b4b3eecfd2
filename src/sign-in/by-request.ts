/** Signing in by requests, one after the other. */
import type { RequestSignIn, SignInRequest } from '../contract/sign-in.ts'
import type { HeaderPairs, HttpRequest } from '../egress/door/egress.ts'
import { SignInFailed } from './failure.ts'
import { storageOffers } from './page-storage.ts'
import type { Signed, Steps } from './sign-in.ts'
import { titleOf, type Values, valueAt } from './values.ts'
import { pageAt, type Visitor, whatOf } from './visitor.ts'

export const byRequest = async (
  { requests, header, cookie, member }: RequestSignIn,
  visitor: Visitor,
  values: Values,
  steps: Steps,
): Promise<Signed> => {
  const bodies: string[] = []
  const told: { url: string; text: string }[] = []
  const landed = new Set<string>()
  for (const one of requests) {
    await steps.take(titleOfRequest(one), async () => {
      const request = await requestOf(one, visitor, values)
      const answers = await visitor.send(request)
      const status = answers.at(-1)?.status ?? 0
      const first = answers[0]?.status ?? 0
      if (one.status === undefined ? status >= 400 : ![first, status].includes(one.status))
        throw new SignInFailed(
          `${whatOf(request)} answered ${status}${one.status === undefined ? '' : `, not ${one.status}`}`,
        )
      const body = answers.at(-1)?.body.toString('utf8') ?? ''
      bodies.push(body)
      const end = answers.length < 2 ? undefined : answers.at(-1)?.request.url
      if (end !== undefined && new URL(end).origin === visitor.origin) landed.add(pageAt(end))
      if (/^\s*\{/.test(body)) told.push({ url: request.url, text: body })
      for (const [name, place] of Object.entries(one.read ?? {})) {
        const value = valueAt(place, answers, visitor.cookie)
        // A field that is there and empty is sent so, as browsers do: some tokens come with a session alone.
        if (value === null || (value === '' && place.field === undefined))
          throw new SignInFailed(`${whatOf(request)} answered ${status}, and without ${titleOf(place)}`)
        values.learn(name, value)
      }
    })
  }
  const added = cookie === undefined ? null : await values.filled(cookie)
  const cookies = [visitor.cookies(), added].filter((one) => one !== null)
  const line = header === undefined ? null : await values.filled(header)
  return {
    cookie: cookies.length === 0 ? null : cookies.join('; '),
    header: line,
    ...(member === undefined ? {} : { member: { name: member.name, value: await values.filled(member.value) } }),
    // Pages that repeat a cookie in a header, against forged requests, find it nowhere else: the door sends it, and the site sets it no more.
    storage: {
      items: visitor.readable().map((one) => ({ area: 'cookie', ...one })),
      offers: storageOffers(line, bodies),
    },
    ...(told.length === 0 ? {} : { answers: told }),
    ...(landed.size === 0 ? {} : { landed: [...landed] }),
  }
}

const titleOfRequest = (one: SignInRequest): string => `${methodOf(one)} ${one.url.split(/[?#]/)[0]}`

const methodOf = ({ method, form, json }: SignInRequest): string =>
  method ?? (form === undefined && json === undefined ? 'GET' : 'POST')

const requestOf = async (one: SignInRequest, visitor: Visitor, values: Values): Promise<HttpRequest> => {
  const headers = await filledFields(one.headers ?? {}, values)
  const base = { method: methodOf(one), url: visitor.addressOf(await values.filled(one.url)) }
  const origin = ['Origin', new URL(base.url).origin] as const
  if (one.form !== undefined) {
    const fields = await filledFields(one.form, values)
    const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
    return { ...base, body: body.toString(), headers: [origin, ['Content-Type', FORM], ...headers] }
  }
  if (one.json === undefined) return { ...base, headers }
  const body = JSON.stringify(await values.filledJson(one.json))
  return { ...base, body, headers: [origin, ['Content-Type', 'application/json'], ...headers] }
}
const FORM = 'application/x-www-form-urlencoded'

const filledFields = (fields: Readonly<Record<string, string>>, values: Values): Promise<HeaderPairs> =>
  Promise.all(Object.entries(fields).map(async ([name, value]) => [name, await values.filled(value)] as const))
