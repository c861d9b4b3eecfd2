/** Judges one run and ends. See judge-in-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { judgeStored } from '../engine/judge-stored.ts'
import type { JudgeAnswer, JudgeQuestion } from './judge-in-thread.ts'

const { modules, about } = workerData as JudgeQuestion
const { coverage, grade, tables, knowledge, failures } = judgeStored(modules, about)
const answer: JudgeAnswer = {
  coverage,
  grade,
  tables,
  knowledge,
  failures: failures.map(({ check, error }) => `${check}: ${error instanceof Error ? error.stack : String(error)}`),
}
parentPort?.postMessage(answer)
