/**
 * Cookies that a sign-in gives beside the session: what an application keeps for itself with whoever is signed in. Without them, and with another value in
 * them, the account is signed in all the same, so that they may be asked as other cookies are.
 */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { CollectContext } from '../../module.ts'

/** Each costs two proofs. */
const MOST = 6
/** What stands in its place: no value of any application. */
const ANOTHER = 'qzv'

/** Name to value, of a session of its own that nobody uses; none where the sign-in is none by requests, or its proof is not answered clearly. */
export const cookiesBesideSession = async ({
  session,
  signal,
}: Pick<CollectContext, 'session' | 'signal'>): Promise<ReadonlyMap<string, string>> => {
  const beside = new Map<string, string>()
  const spare = session?.spare
  if (spare === undefined) return beside
  try {
    const pairs = pairsOf((await spare.begin())?.after.cookie ?? '')
    if (pairs.length < 2) return beside
    for (const [name, value] of pairs.slice(0, MOST)) {
      const others = pairs.filter(([other]) => other !== name)
      const isNeeded = async (given: readonly (readonly [string, string])[]): Promise<boolean> =>
        (await spare.isSignedIn({ cookie: given.map((pair) => pair.join('=')).join('; '), header: null })) !== true
      if ((await isNeeded(others)) || (await isNeeded([...others, [name, ANOTHER]]))) continue
      beside.set(name, value)
    }
    return beside
  } catch (error) {
    signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return beside
  }
}

const pairsOf = (cookie: string): readonly (readonly [name: string, value: string])[] =>
  cookie.split(';').flatMap((pair): (readonly [string, string])[] => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    return name === '' ? [] : [[name, pair.slice(at + 1).trim()]]
  })
