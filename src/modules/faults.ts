/**
 * Faults of the scanner: what fails on our side at one place, finding, check or template, and is held there. Each has an id by
 * which the operator's log, coverage and report name it.
 */
import { createHash } from 'node:crypto'
import { ModuleEnding, RunFailure } from './endings.ts'
import { inSources } from './mapped-stacks.ts'
import type { CollectContext } from './module.ts'

/** What coverage says of it. */
export const faultReason = (id: string): string => `a fault of the scanner (${id})`

/**
 * `F-` and eight hexadecimal digits, from where it happened and what was thrown: the same fault has the same id in every run,
 * and a run that is judged again names it as before. Messages are left out, they may hold anything.
 */
export const faultIdOf = (where: string, error: unknown): string => {
  const kind =
    error instanceof Error ? [error.name, ...framesOf(error).slice(0, MOST_FRAMES).map(lineOf)] : [typeof error]
  return `F-${createHash('sha256')
    .update(JSON.stringify([where, ...kind]))
    .digest('hex')
    .slice(0, 8)}`
}

/** Lines of the stack, wherever the product is installed. */
export const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '')
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .map((line) => inSources(line.trim()).replace(/(?:file:\/\/)?\/\S*?\/((?:src|node_modules|tests)\/)/, '$1'))
    : []

/** Below them stand callers that differ from run to run. */
const MOST_FRAMES = 4

/** File and line: a build knows these of a source, and neither every column nor the name of every function. */
const lineOf = (frame: string): string => frame.replace(/^at (?:.*\()?/, '').replace(/(?::\d+)?\)?$/, '')

/**
 * True for what ends a module at whatever wall it arrives: an abort, a spent budget, and what the module itself says of its
 * end. Everything else is held at the wall.
 */
export const endsModule = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || error instanceof ModuleEnding || error instanceof RunFailure || isSpent(error)

/** By the code alone: what stands for a spent budget inside of a module says so in the same way as egress. */
const isSpent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'budget' || error.code === 'aborted')

/** Holds a fault at a wall around a part of a module's work. @throws what ends the module */
export const held = async <Value>(
  ctx: Pick<CollectContext, 'signal' | 'fault'>,
  where: string,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly fault: string }> => {
  try {
    return { value: await work() }
  } catch (error) {
    if (endsModule(error, ctx.signal)) throw error
    return { fault: ctx.fault(error, where) }
  }
}

/**
 * As `held`, for what follows or goes with a module's main work: a spent budget costs this part alone, and what was found before
 * is kept. @throws what ends the module
 */
export const heldBeside = async <Value>(
  ctx: Pick<CollectContext, 'signal' | 'fault'>,
  where: string,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly fault: string } | { readonly spent: true }> => {
  try {
    return await held(ctx, where, work)
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof Error && 'code' in error && error.code === 'budget')) throw error
    return { spent: true }
  }
}
