/** What the policy has to know of a run, from what it was asked for. */
import type { Environment, RunOptions } from '../contract/run.ts'
import type { Around } from './policy.ts'

/** Of a run, as modules and the engine have it. */
export interface RunAsked {
  /** Without an environment it is taken for a production system. */
  readonly target: { readonly environment?: Environment }
  readonly options: Pick<RunOptions, 'writes_per_form'>
  /** Of modules: `account` is what the run signs in by. */
  readonly session?: { readonly account?: string } | undefined
}

export const aroundRun = (
  { target, options, session }: RunAsked,
  seen: Pick<Around, 'signedIn' | 'staff' | 'excludes'>,
): Around => ({
  environment: target.environment ?? 'production',
  writes: options.writes_per_form,
  ...(session?.account === undefined ? {} : { account: session.account }),
  ...seen,
})
