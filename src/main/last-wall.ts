/**
 * The last wall of the service: an error that no one waits for ends the one task it came from, is logged and counted, and the
 * process goes on. What a task may leave half done is in the database under a lease or a time, and is taken up again later.
 */
import { faultOf } from '../engine/faults.ts'
import { raiseLastWall, Stray, warded } from '../engine/last-wall.ts'
import { countFault } from '../store/faults.ts'
import type { Runtime } from './runtime.ts'

type Told = Pick<Runtime, 'db' | 'logger'>

/** Returns what takes it down again. */
export const raiseServiceWall = (runtime: Told): (() => void) =>
  raiseLastWall((task, error) => tellFault(runtime, task ?? 'service', 'outside of all walls', error))

/** Into log and figures; never throws. Returns the fault's id. */
export const tellFault = ({ db, logger }: Told, task: string, where: string, error: unknown): string => {
  const { id, stack } = faultOf(task, where, error)
  logger.error({ task, fault: id, where, stack }, 'a fault of the service')
  countFault(db, task, id).catch((cause: unknown) => logger.error({ err: cause }, 'a fault could not be counted'))
  return id
}

/**
 * A task of the service by its name. What fails on our side, also past what the task waits for, is told; the task's promise
 * then rejects with TaskFault.
 */
export const task = async <Value>(
  runtime: Told,
  name: string,
  work: () => Promise<Value>,
  /** Failures that say something about the other side, not about us. */
  isTheirs: (error: unknown) => boolean = () => false,
): Promise<Value> => {
  try {
    return await warded(name, work)
  } catch (error) {
    if (isTheirs(error)) throw error
    // The wall itself has told of what strayed.
    if (error instanceof Stray) throw new TaskFault(faultOf(name, '', error.cause).id, error.cause)
    throw new TaskFault(tellFault(runtime, name, 'the task', error), error)
  }
}

/** The message is for a person. */
export class TaskFault extends Error {
  readonly fault: string
  constructor(fault: string, cause: unknown) {
    super(`this failed on our side (${fault}), which says nothing about yours`, { cause })
    this.name = 'TaskFault'
    this.fault = fault
  }
}
