/** Judges runs, or asks the feeds, one question after the other. See judge-threads.ts. */
import { parentPort } from 'node:worker_threads'
import { framesOf } from '../engine/faults.ts'
import { watchFoundations } from '../engine/foundations.ts'
import type { Failure } from '../engine/judge.ts'
import { answersOf, judgeAnew } from '../engine/judge-anew.ts'
import { judgeStored } from '../engine/judge-stored.ts'
import type { AnewAnswer, AnewQuestion, AnswersQuestion, JudgeAnswer, JudgeQuestion } from './judge-in-thread.ts'
import type { FromJudge } from './judge-threads.ts'

const say = (message: FromJudge): void => parentPort?.postMessage(message)
const texts = (failures: readonly Failure[]): readonly string[] =>
  failures.map(({ check, id, error }) => `${check} (${id}): ${stackOf(error)}`)
const stackOf = (error: unknown): string => [String(error), ...framesOf(error)].join('\n    ')

const judge = ({ modules, about, leftOut }: JudgeQuestion): JudgeAnswer => {
  const { coverage, grade, tables, reach, knowledge, failures } = judgeStored(modules, about, undefined, {
    leftOut,
    begins: (module) => say({ begins: module }),
  })
  return { coverage, grade, tables, reach, knowledge, failures: texts(failures) }
}

const anew = async ({ modules, about, anew: { knowledge, now } }: AnewQuestion): Promise<AnewAnswer> => {
  // The thread is ended from outside where it has to stop.
  const day = { now, signal: new AbortController().signal, ...(knowledge === undefined ? {} : { knowledge }) }
  const judged = await judgeAnew(modules, about, day)
  return typeof judged === 'string' ? judged : { ...judged, failures: texts(judged.failures) }
}

const answerOf = (question: JudgeQuestion | AnswersQuestion | AnewQuestion) => {
  if ('asked' in question) return answersOf(question.asked, question.knowledge)
  return 'anew' in question ? anew(question) : judge(question)
}

const asItBegan = watchFoundations()
parentPort?.on('message', async (question: JudgeQuestion | AnswersQuestion | AnewQuestion) => {
  const answer = await answerOf(question)
  say({ answer, asItBegan: asItBegan() })
})
