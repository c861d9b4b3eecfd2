/** What the run's own account is called: as it signs in, by its token, or by what the site says to whoever asks who they are. */
import { jsonOf } from '../../../page/json.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import { ask, Left } from './asking.ts'
import { leavesOf } from './leaves.ts'
import { asked, isReading, keptFrom, type Target } from './operations.ts'
import type { OwnNames } from './probes/accounts.ts'
import type { CarriedToken } from './tokens/sources.ts'

const MAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/
const NAMED = /^(?:preferred_?)?(?:user_?name|login|nick_?name|account|handle)$/i
const OF_ONESELF = /(?:^|\/)(?:me|whoami|self|profile|account|current[-_]?user|user_?info|session)$/i
const MOST_ASKED = 4

/** Told to nobody: they are sent to the sign-in alone. */
export const ownNamesOf = async (
  ctx: CollectContext,
  own: readonly CarriedToken[],
  targets: readonly Target[],
): Promise<OwnNames> => {
  const account = ctx.session?.account
  if (account !== undefined) return MAIL.test(account) ? { mail: account, name: null } : { mail: null, name: account }
  const told = own.flatMap(({ token }) => leavesOf(token.claims))
  const reading = targets.filter(
    ({ request }) =>
      isReading(request) && keptFrom(request, true) === null && OF_ONESELF.test(new URL(request.url).pathname),
  )
  const answers = ctx.hasCredentials && pick(told).name === null ? reading.slice(0, MOST_ASKED) : []
  for (const { request } of answers) {
    try {
      const said = textOf(await ask(ctx, asked(request)))
      // What everybody is told is nobody's account.
      const nobody = await ask(ctx, { ...asked(request), authenticated: false, stranger: true })
      if (textOf(nobody) !== said) told.push(...leavesOf(jsonOf(said)))
    } catch (error) {
      if (!(error instanceof Left)) throw error // Another may tell.
    }
  }
  return pick(told)
}

const pick = (leaves: ReturnType<typeof leavesOf>): OwnNames => {
  const text = (wanted: (name: string, value: string) => boolean): string | null => {
    const found = leaves.find(
      ({ name, value }) => typeof value === 'string' && value.length < 100 && wanted(name, value),
    )
    return found === undefined ? null : String(found.value)
  }
  return {
    mail: text((name, value) => /mail|user|login|sub$/i.test(name) && MAIL.test(value)),
    name: text((name, value) => NAMED.test(name) && value.length > 1),
  }
}
