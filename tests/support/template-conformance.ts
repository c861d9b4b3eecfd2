/** Cases of the template format: a template, a server, and how many results the format's documentation promises. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Value } from '../../src/templates/language/expression/value.ts'
import {
  caseAddress,
  type Ran,
  runCase,
  type Seen,
  type Served,
  serveTemplateCase,
  templateOf,
} from '../../src/templates/run/testing/template-case.ts'

export interface ConformanceCase {
  readonly name: string
  /** What stands below `info` of the template. */
  readonly yaml: string
  readonly answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
  readonly hits: number
  readonly path?: string
  readonly given?: Readonly<Record<string, Value>>
  readonly also?: (ran: Ran, seen: readonly Seen[]) => void
}

export const conform = (last: number, cases: readonly ConformanceCase[]): void => {
  const address = caseAddress(last)
  let served: Served
  let answer: ConformanceCase['answer'] = (_, response) => response.end()
  beforeAll(async () => {
    served = await serveTemplateCase(address, (request, response, body) => answer(request, response, body))
  })
  afterAll(() => served.close())

  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    answer = one.answer
    const before = served.seen.length
    const ran = await runCase(
      templateOf(one.yaml),
      { address, port: served.port, ...(one.path === undefined ? {} : { path: one.path }) },
      one.given ? { given: one.given } : {},
    )
    expect(ran.failed).toBeNull()
    expect(ran.hits).toHaveLength(one.hits)
    one.also?.(ran, served.seen.slice(before))
  })
}

/** Answers 200 with the text where the condition holds, else 404. */
export const when =
  (holds: (request: IncomingMessage, body: string) => boolean, text = 'the expected text'): ConformanceCase['answer'] =>
  (request, response, body) => {
    response.statusCode = holds(request, body) ? 200 : 404
    response.end(holds(request, body) ? text : 'nothing here')
  }

export const always =
  (text: string, headers: Readonly<Record<string, string | string[]>> = {}, status = 200): ConformanceCase['answer'] =>
  (_, response) => {
    response.writeHead(status, headers)
    response.end(text)
  }
