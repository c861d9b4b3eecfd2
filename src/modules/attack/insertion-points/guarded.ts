/**
 * Sign-ins that have stopped looking at what they are sent: after some failures a guard against guessing shuts out the address that asks, or the
 * account that is named. What it answers from then on is alike whatever is asked, and says nothing of it.
 */
import { randomInt } from 'node:crypto'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { CAPTCHA, TOO_MANY } from '../../../page/guessing.ts'
import { PASSWORD_NAME } from '../../../page/names.ts'
import { formWith, jsonWith } from './body.ts'
import { GUARDED } from './facts.ts'
import type { ProbeRequest } from './inventory.ts'
import { leavesOf } from './points.ts'
import type { Reply } from './prober.ts'
import { identifiesIn } from './sign-in.ts'
import { WORD } from './word.ts'

type Asked = Pick<ProbeRequest, 'method' | 'url' | 'headers' | 'body' | 'signsIn'>

export interface Guards {
  /**
   * What `send` brings, or why it brings nothing where nobody looks at this request any more. `plain` sends another, which no probe stands in: it is asked
   * where an answer looks like a guard's, at most twice for each that does.
   */
  readonly heed: (
    request: Asked,
    http: HttpRequest,
    send: () => Promise<Reply | null>,
    plain: (http: HttpRequest) => Promise<Reply>,
  ) => Promise<Reply | typeof GUARDED | null>
}

/** Who is shut out: 'account' whoever names the one of the request as it is. */
type Shut = 'everybody' | 'account'

interface Form {
  readonly first: Reply
  shut: Shut | null
  /** How often it was asked whether it is. */
  times: number
  /** One finds out at a time. */
  line: Promise<void>
}

/** What looks like a guard and is none is a firewall, or a page that says so of something else. */
const MOST_TIMES = 6
/** How the address or the account is refused, where a wrong password was answered otherwise before. */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 406, 423, 429, 503])

export const createGuards = (): Guards => {
  const forms = new Map<string, Form>()
  const isShut = (request: Asked, http: HttpRequest): boolean => {
    const shut = forms.get(nameOf(request))?.shut
    return shut === 'everybody' || (shut === 'account' && accountIn(http) === accountIn(plainly(request)))
  }
  const find = async (form: Form, request: Asked, plain: (http: HttpRequest) => Promise<Reply>): Promise<void> => {
    if (form.shut !== null || form.times >= MOST_TIMES) return
    form.times += 1
    if (!saysMore(await plain(plainly(request)), form.first)) return
    const other = ofAnother(request)
    form.shut = other === null || saysMore(await plain(other), form.first) ? 'everybody' : 'account'
  }
  /** Whether a guard gave this answer. */
  const isGuards = async (
    request: Asked,
    reply: Reply,
    plain: (http: HttpRequest) => Promise<Reply>,
  ): Promise<boolean> => {
    const known = forms.get(nameOf(request))
    if (known === undefined) {
      const shut = isGuard(reply) ? 'everybody' : null
      forms.set(nameOf(request), { first: reply, shut, times: 0, line: Promise.resolve() })
      return shut !== null
    }
    if (!saysMore(reply, known.first)) return false
    const line = known.line.then(() => find(known, request, plain))
    known.line = line.catch(() => undefined) // Whoever waits behind it asks by itself; this one hears of it now.
    await line
    return known.shut !== null
  }
  return {
    heed: async (request, http, send, plain) => {
      if (!request.signsIn) return send()
      if (isShut(request, http)) return GUARDED
      const reply = await send()
      if (reply === null || reply.status === 0) return reply
      return (await isGuards(request, reply, plain)) ? GUARDED : reply
    },
  }
}

/** Without what it repeats of the question. */
const textOf = ({ text, value }: Reply): string => (value === '' ? text : text.replaceAll(value, ''))

/** From the first answer on: it says so, and no form stands beside it. A page may say beforehand when it will shut somebody out. */
const isGuard = (reply: Reply): boolean => TOO_MANY.test(textOf(reply)) && !/type=["']?password/i.test(reply.text)

const saysMore = (reply: Reply, first: Reply): boolean =>
  (reply.status !== first.status && REFUSED.has(reply.status)) ||
  [TOO_MANY, CAPTCHA].some((words) => words.test(textOf(reply)) && !words.test(textOf(first)))

const nameOf = ({ method, url }: Asked): string => `${method} ${url.replace(/#.*/s, '')}`

const plainly = ({ method, url, headers, body }: Asked): HttpRequest => ({
  ...{ method, url, headers },
  ...(body === null ? {} : { body }),
})

const bodyOf = ({ body }: HttpRequest): string => (typeof body === 'string' ? body : '')
const isJson = (body: string): boolean => /^\s*\{/.test(body)

/** Names and values of what says who signs in; empty where nothing does. */
const accountOf = (body: string): readonly (readonly [name: string, value: string])[] =>
  (isJson(body) ? leavesOf(body) : [...new URLSearchParams(body)]).filter(
    ([name]) => identifiesIn(name) && !PASSWORD_NAME.test(name),
  )

const accountIn = (http: HttpRequest): string => JSON.stringify(accountOf(bodyOf(http)))

/** The request of somebody else; null where it names nobody. */
const ofAnother = (request: Asked): HttpRequest | null => {
  const plain = plainly(request)
  const body = bodyOf(plain)
  const names = accountOf(body)
  if (names.length === 0) return null
  const another = names.reduce<string | null>((changed, [name, value]) => {
    const other = value.replace(/^[^@]*/, `${WORD}${randomInt(1_000, 9_999)}`)
    if (changed === null) return null
    return isJson(body) ? jsonWith(changed, name, other) : formWith(changed, name, other)
  }, body)
  return another === null ? null : { ...plain, body: another }
}
