/** How `collect` says that it ends otherwise than with facts. Any other error is the module's own failure. */
import type { ErrorKind } from '../contract/run.ts'

/** The run cannot go on: thrown by `site` when there is no target to look at. The message is for a person. */
export class RunFailure extends Error {
  readonly kind: ErrorKind

  constructor(kind: ErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'RunFailure'
    this.kind = kind
  }
}

/**
 * The module alone ends: 'skipped' where something it needs is absent (a browser, a mail server), 'blocked' where the
 * target keeps it out. The message becomes the reason that coverage gives.
 */
export class ModuleEnding extends Error {
  readonly state: 'skipped' | 'blocked'

  constructor(state: 'skipped' | 'blocked', reason: string, options?: { readonly cause?: unknown }) {
    super(reason, options)
    this.name = 'ModuleEnding'
    this.state = state
  }
}
