/** Signs in as an identity says, and proves it. Everything goes through the door of egress; what comes out is what later requests carry. */
import type { SignIn } from '../contract/identity.ts'
import { readSeed } from '../contract/totp.ts'
import type { Egress } from '../egress/door/egress.ts'
import { createOAuth2 } from './by-oauth2.ts'
import { byRequest } from './by-request.ts'
import { type BrowserPorts, bySteps } from './by-steps.ts'
import { SignInFailed } from './failure.ts'
import { lastsAsSaid } from './lifetime.ts'
import { type PageStorage, storageOffers } from './page-storage.ts'
import { createCodes } from './totp.ts'
import { createValues, type Values } from './values.ts'
import { createVisitor, type Place, type Visitor } from './visitor.ts'

/** As egress sends them. */
export interface Credentials {
  readonly cookie: string | null
  /** One header line, "Name: value". */
  readonly header: string | null
  /** Stands in bodies of JSON that have a member of the name. */
  readonly member?: { readonly name: string; readonly value: string }
}

/** What a sign-in brings about. */
export interface Signed extends Credentials {
  readonly storage: PageStorage
  /** Other origins that its pages send the session to; absent where nobody looked. */
  readonly elsewhere?: readonly string[]
  /** Answers of JSON on its way, as text: they name what belongs to the account. Absent where there were none. */
  readonly answers?: readonly { readonly url: string; readonly text: string }[]
  /** Addresses of the site that it ends at, without query and hash, which may hold secrets. Absent where it ends nowhere else than it was sent. */
  readonly landed?: readonly string[]
}

export interface Session extends Signed {
  /** Of the domain, with its scheme. */
  readonly origin: string
  /** Milliseconds since the epoch; null where nobody said. */
  readonly expiresAt: number | null
}

export interface Step {
  /** What was done, without what was typed. */
  readonly title: string
  readonly ok: boolean
  readonly detail: string | null
  /** JPEG of the page after it, where pictures are wanted and there is a page; what was typed is painted over. */
  readonly picture: Uint8Array | null
}

export interface Steps {
  /** Carries a step out and tells of it, whatever becomes of it. */
  readonly take: <Value>(
    title: string,
    work: () => Promise<Value>,
    picture?: () => Promise<Uint8Array | null>,
  ) => Promise<Value>
}

export interface SignInPorts {
  readonly egress: Pick<Egress, 'http'>
  readonly place: Place
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly told?: (step: Step) => void
  /** The provider has replaced the refresh token by this one: it is secret, and the former good for nothing. */
  readonly replaced?: (token: string) => Promise<void>
  readonly browser: BrowserPorts
}

/** Signs in anew each time it is called; where a one-time password was given and refused, once more with the next. @throws SignInFailed */
export const createSignIn = (how: SignIn, ports: SignInPorts): (() => Promise<Session>) => {
  const { egress, place, told = () => undefined } = ports
  const seed = how.totp === undefined ? null : readSeed(how.totp)
  if (typeof seed === 'string') throw new SignInFailed(`The seed of the one-time password ${seed}`)
  const codes = seed === null ? null : createCodes(seed, ports)
  let given = 0
  let done = 0
  const code =
    codes &&
    (() => {
      given += 1
      return codes()
    })
  const steps: Steps = {
    take: async (title, work, picture = async () => null) => {
      try {
        const value = await work()
        told({ title, ok: true, detail: null, picture: await picture() })
        return value
      } catch (error) {
        if (error instanceof SignInFailed) told({ title, ok: false, detail: error.message, picture: await picture() })
        throw error
      }
    },
  }
  const oauth2 = how.oauth2 === undefined ? null : createOAuth2(how.oauth2, ports.replaced)
  const once = async (): Promise<Session> => {
    const visitor = await createVisitor(egress, place)
    if (oauth2 !== null) {
      const { lasts, ...token } = await oauth2(visitor, steps)
      const storage = { items: [], offers: storageOffers(token.header) }
      const milliseconds = lasts === null ? lastsAsSaid(token, null, ports.clock()) : lasts * 1_000
      return {
        ...token,
        storage,
        origin: visitor.origin,
        expiresAt: milliseconds === null ? null : ports.clock() + milliseconds,
      }
    }
    const credentials = await cookiesOf(how, visitor, createValues(code), steps, ports, done > 0)
    if (carriesNothing(credentials) && !isOfPages(credentials))
      throw new SignInFailed('Nothing was set that later requests could carry: no cookie, and no header is named')
    done += 1
    const lasts = lastsAsSaid(credentials, credentials.storage.offers.holder, ports.clock())
    return { ...credentials, origin: visitor.origin, expiresAt: lasts === null ? null : ports.clock() + lasts }
  }
  return async () => {
    const before = given
    try {
      return await once()
    } catch (error) {
      // Somebody else, such as a run that has just ended, may have used this very code, which is good for one use (RFC 6238, 5.2).
      if (!(error instanceof SignInFailed) || given === before) throw error
      return once()
    }
  }
}

const carriesNothing = ({ cookie, header, member }: Credentials): boolean =>
  cookie === null && header === null && member === undefined

/** Whether the session is what its pages keep, and send to another origin: no request to the site carries it. */
export const isOfPages = (session: Signed): boolean =>
  carriesNothing(session) && (session.elsewhere ?? []).length > 0 && session.storage.items.length > 0

const cookiesOf = (
  { request, steps: wanted, proof }: SignIn,
  visitor: Visitor,
  values: Values,
  steps: Steps,
  { place, browser }: SignInPorts,
  again: boolean,
): Promise<Signed> => {
  if (request !== undefined) return byRequest(request, visitor, values, steps)
  if (wanted !== undefined) return bySteps(wanted, { visitor, values, place, browser, steps, again, proof })
  throw new SignInFailed('There is no way to sign in')
}
