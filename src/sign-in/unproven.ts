/**
 * Answers that no proof of the session has followed yet. Where it is lost for good they were given to nobody, for all that is known,
 * and whatever they were taken for is no answer.
 */
import type { Asked } from './suspects.ts'

/** A proof that is not answered says nothing; more than these are not kept one by one. */
const MOST = 5_000

export interface Unproven {
  readonly answered: (asked: Asked, module: string) => void
  /** It would have been sent, and the session is lost. */
  readonly refused: (module: string) => void
  /** What is unproven now; a proof that begins now is one of these. */
  readonly mark: () => number
  readonly proven: (mark: number) => void
  /** Another session was begun: what was answered under the one before is asked again by who asked it. */
  readonly begun: () => void
  readonly of: (module: string) => { readonly answered: number; readonly refused: number }
  readonly all: () => readonly Asked[]
}

export const createUnproven = (): Unproven => {
  let since: (Asked & { readonly module: string })[] = []
  let dropped = 0
  const refused = new Map<string, number>()
  return {
    answered: (asked, module) => {
      since.push({ ...asked, module })
      if (since.length <= MOST) return
      since.shift()
      dropped += 1
    },
    refused: (module) => void refused.set(module, (refused.get(module) ?? 0) + 1),
    mark: () => dropped + since.length,
    proven: (mark) => {
      since = since.slice(Math.max(0, mark - dropped))
      dropped = Math.max(mark, dropped)
    },
    begun: () => {
      dropped += since.length
      since = []
    },
    of: (module) => ({
      answered: since.filter((one) => one.module === module).length,
      refused: refused.get(module) ?? 0,
    }),
    all: () => since,
  }
}
