/** What may write, sent by modules that ask no places: within what its form may be sent on a test system, and written down for cleaning up. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { pageRequest } from '../../../page/exchange.ts'
import type { CollectContext } from '../../module.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { requestOf } from './inventory.ts'
import { SHARED } from './shared.ts'
import { mayHaveStored } from './written-values.ts'

export interface BoundedSending<Answer> {
  readonly template: RequestTemplate
  /** With what was put into it. */
  readonly request: HttpRequest
  readonly send: () => Promise<Answer>
  /** Of the answer; 0 where there is none. */
  readonly statusOf: (answer: Answer) => number
  /** By form: how many of its writes the module has used. */
  readonly used?: Map<string, number>
}

/** Null where it may not be sent any more. */
export const sendBounded = async <Answer>(
  { scope, egress }: Pick<CollectContext, 'scope' | 'egress'>,
  { template, request, send, statusOf, used = new Map() }: BoundedSending<Answer>,
): Promise<Answer | null> => {
  const { writes, written } = scope.of(SHARED)
  const own = requestOf(template)
  const asker = { kept: () => 0, used, careful: false, get: async (url: string) => egress.http(pageRequest(url)) }
  const work = async () => {
    const answer = await send()
    const status = statusOf(answer)
    if (mayHaveStored(status)) written.note(own, request)
    return { answer, status }
  }
  const sent = await writes.send(asker, {
    ...{ request: own, changes: false, pursues: true, work },
    another: async () => void (await send()),
  })
  return sent === null ? null : sent.answer
}
