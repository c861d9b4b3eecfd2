/** Answers as egress tells of them, for what watches a run. */
import type { HttpExchange } from '../../egress/door/egress.ts'

export interface CaseAnswer {
  readonly path: string
  readonly body: string
  readonly status?: number
  readonly type?: string
  readonly method?: string
  readonly sent?: string
  readonly host?: string
  readonly headers?: readonly (readonly [string, string])[]
  /** Value of the Cookie header that it was asked with. */
  readonly cookie?: string
}

export const caseAnswer = ({ path, body, status = 200, type = 'text/html', ...more }: CaseAnswer): HttpExchange => ({
  request: {
    method: more.method ?? 'GET',
    url: `https://${more.host ?? 'shop.test'}${path}`,
    headers: [['Host', more.host ?? 'shop.test'], ...(more.cookie ? [['Cookie', more.cookie] as const] : [])],
    body: more.sent ?? null,
  },
  address: '192.0.2.1',
  port: 443,
  httpVersion: '1.1',
  status,
  statusText: '',
  headers: [['Content-Type', type], ...(more.headers ?? [])],
  body: Buffer.from(body),
  truncated: false,
  timing: { connect: 1, firstByte: 1, total: 1 },
  certificateError: null,
})
