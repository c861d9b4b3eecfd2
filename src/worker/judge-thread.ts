/** Judges one run, or asks the feeds, and ends. See judge-in-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { framesOf } from '../engine/faults.ts'
import type { Failure } from '../engine/judge.ts'
import { answersOf, judgeAnew } from '../engine/judge-anew.ts'
import { judgeStored } from '../engine/judge-stored.ts'
import type { AnewQuestion, AnswersQuestion, FromJudge, JudgeQuestion } from './judge-in-thread.ts'

const say = (message: FromJudge): void => parentPort?.postMessage(message)
const texts = (failures: readonly Failure[]): readonly string[] =>
  failures.map(({ check, id, error }) => `${check} (${id}): ${stackOf(error)}`)
const stackOf = (error: unknown): string => [String(error), ...framesOf(error)].join('\n    ')

const judge = ({ modules, about, leftOut }: JudgeQuestion): void => {
  const { coverage, grade, tables, reach, knowledge, failures } = judgeStored(modules, about, undefined, {
    leftOut,
    begins: (module) => say({ begins: module }),
  })
  say({ answer: { coverage, grade, tables, reach, knowledge, failures: texts(failures) } })
}

const anew = async ({ modules, about, anew: { knowledge, now } }: AnewQuestion): Promise<void> => {
  // The thread is ended from outside where it has to stop.
  const day = { now, signal: new AbortController().signal, ...(knowledge === undefined ? {} : { knowledge }) }
  const judged = await judgeAnew(modules, about, day)
  say({ answer: typeof judged === 'string' ? judged : { ...judged, failures: texts(judged.failures) } })
}

const question = workerData as JudgeQuestion | AnswersQuestion | AnewQuestion
if ('asked' in question) say({ answer: answersOf(question.asked, question.knowledge) })
else if ('anew' in question) await anew(question)
else judge(question)
