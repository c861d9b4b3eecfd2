/** Hands the answers of an active run, whichever module asked, to the modules that judge all of them. */
import { hasCredentials } from '../egress/door/credentials.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import type { AnyModule, AnyWatcher } from '../modules/any-module.ts'
import { createPlanted } from './planted.ts'
import type { RunSpec } from './protocol.ts'

export interface Watchers {
  readonly watchers: ReadonlyMap<string, AnyWatcher>
  /** Never throws. Answers that hand out what the run itself has given are nobody's. A watcher that does is told no more, and its module ends as if it had brought no facts of answers. */
  readonly answered: (exchange: HttpExchange, module: string, signsIn: boolean) => void
}

/**
 * A passive run asks what its modules judge already; of its own sign-in, which no module asks, it is told all the same. `standing`: modules whose results of an earlier attempt hold.
 */
export const createWatching = (
  modules: readonly AnyModule[],
  { target, credentials }: Pick<RunSpec, 'target' | 'credentials'>,
  standing: ReadonlySet<string>,
): Watchers => {
  const watchers = new Map<string, AnyWatcher>()
  const isActive = target.tier === 'active'
  const planted = createPlanted()
  for (const { id, watch } of isActive || credentials.signIn !== undefined ? modules : []) {
    if (!watch || standing.has(id)) continue
    const watcher = watch({ target, resumed: standing.size > 0, signedIn: hasCredentials(credentials) })
    if (isActive || watcher.seeSignIn) watchers.set(id, guarded(watcher))
  }
  return {
    watchers,
    answered: (exchange, module, signsIn) => {
      if (isActive && planted.isOurs(exchange)) return
      for (const watcher of watchers.values()) {
        if (signsIn) watcher.seeSignIn?.(exchange)
        else if (isActive) watcher.see(exchange, module)
      }
    },
  }
}

/** What goes wrong while it sees is thrown when it concludes, where a wall stands and tells of it. */
const guarded = (watcher: AnyWatcher): AnyWatcher => {
  let broken: { readonly error: unknown } | null = null
  const held = (told: () => void): void => {
    if (broken !== null) return
    try {
      told()
    } catch (error) {
      broken = { error }
    }
  }
  return {
    see: (exchange, module) => held(() => watcher.see(exchange, module)),
    seeSignIn: (exchange) => held(() => watcher.seeSignIn?.(exchange)),
    conclude: (facts, cutOff) => {
      if (broken !== null) throw broken.error
      return watcher.conclude(facts, cutOff)
    },
  }
}
