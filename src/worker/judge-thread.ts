/** Judges one run and ends. See judge-in-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { judgeStored } from '../engine/judge-stored.ts'
import type { FromJudge, JudgeQuestion } from './judge-in-thread.ts'

const { modules, about, leftOut } = workerData as JudgeQuestion
const say = (message: FromJudge): void => parentPort?.postMessage(message)
const { coverage, grade, tables, reach, knowledge, failures } = judgeStored(modules, about, undefined, {
  leftOut,
  begins: (module) => say({ begins: module }),
})
say({
  answer: {
    coverage,
    grade,
    tables,
    reach,
    knowledge,
    failures: failures.map(
      ({ check, id, error }) => `${check} (${id}): ${error instanceof Error ? error.stack : String(error)}`,
    ),
  },
})
