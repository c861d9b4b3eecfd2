/** Operators that look at every answer of the run: their template asks nothing itself. */
import type { Text } from '../../language/match/text.ts'
import type { HttpStep } from '../../language/template.ts'
import type { StepRun } from '../executor.ts'
import { answerOfReply, requestText } from './answer.ts'
import type { HttpClient, Reply } from './client.ts'
import { replayOf } from './request.ts'

/** Milliseconds of judging for one template of a run; hundreds of patterns meet every page of a site. */
const MOST_JUDGING = 20_000

/** Watches until `stop`. Equal bodies are judged once where the operators look at bodies alone. */
export const watchAnswers = (step: HttpStep, run: StepRun, client: HttpClient): { readonly stop: () => void } => {
  const { matchers, extractors } = step.operators
  const ofBodies = [...matchers, ...extractors].every(({ part }) => part === 'body')
  const seen = new WeakSet<Text>()
  let spent = 0
  return {
    stop: client.observe((reply: Reply) => {
      if (spent > MOST_JUDGING || (ofBodies && seen.has(reply.body))) return
      seen.add(reply.body)
      const began = performance.now()
      const answer = answerOfReply(reply, run.text, step.maxSize, run.target.host)
      const { spec, status } = reply
      run.judge(step.operators, answer, {
        at: { url: spec.origin + spec.target, ...(spec.method === 'GET' ? {} : { method: spec.method }) },
        request: requestText(spec),
        response: answer.head + reply.body.bytes,
        http: { command: replayOf(spec), status, target: spec.target, spec },
      })
      spent += performance.now() - began
    }),
  }
}
