/** Places that take a token as a value of their own, beside or in place of a header: a parameter of an address, a member of a body, a variable of GraphQL. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { jsonWith } from '../../insertion-points/body.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { asked, isReading, keptFrom, type Target } from '../operations.ts'
import type { CarriedToken } from './sources.ts'

/** What holds who asks; tokens against forged requests, of uploads or for one deed have other names. */
const NAMED = /^(?:(?:access|auth|bearer|id|session|user)[-_]?)?(?:token|jwt)$/i
const MOST = 6
/** Stands for the token until a command is written. */
const STAND_IN = 'FORGEDTOKEN'

/** The own token of the run, for each value of a reading request that is called so. Nothing but this value says who asks. */
export const argumentTokens = (own: readonly CarriedToken[], targets: readonly Target[]): readonly CarriedToken[] => {
  const [first] = own
  if (first === undefined) return []
  return targets
    .filter(({ request }) => isReading(request) && keptFrom(request, true) === null)
    .flatMap(({ request }) => placesIn(asked(request, { authenticated: false })))
    .slice(0, MOST)
    .map(({ name, withText }) => ({
      ...{ token: first.token, where: `argument ${name}`, headers: () => [], option: '' },
      ...{ request: withText, command: commandOf(withText(STAND_IN)) },
    }))
}

interface NamedPlace {
  readonly name: string
  /** null: nothing in its place. */
  readonly withText: (text: string | null) => HttpRequest
}

const placesIn = (request: HttpRequest): readonly NamedPlace[] => {
  const url = new URL(request.url)
  const ofAddress = [...new Set(url.searchParams.keys())].filter((name) => NAMED.test(name))
  const body = typeof request.body === 'string' && /^\s*\{/.test(request.body) ? request.body : '{}'
  const ofBody = leavesOf(body).map(([pointer]) => pointer)
  return [
    ...ofAddress.map((name) => ({
      name,
      withText: (text: string | null) => {
        const changed = new URL(url)
        changed.searchParams.set(name, text ?? '')
        return { ...request, url: changed.href }
      },
    })),
    ...ofBody
      .filter((pointer) => NAMED.test(lastOf(pointer)))
      .map((pointer) => ({
        name: lastOf(pointer),
        withText: (text: string | null) => ({ ...request, body: jsonWith(body, pointer, text ?? '') ?? body }),
      })),
  ]
}

const lastOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

/** A shell puts in what $FORGED holds. */
const commandOf = (request: HttpRequest): string => curlOf(request).replaceAll(STAND_IN, `'"$FORGED"'`)
