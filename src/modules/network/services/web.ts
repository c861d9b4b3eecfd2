/** HTTP on any port, by way of egress’s own client: what serves it, and whether an interface answers strangers. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { identifyWeb, type WebAnswer } from '../../../knowledge/services/web.ts'
import { headerOf } from '../../../page/exchange.ts'
import type { Proved } from '../../../protocols/services/probe.ts'
import type { Said } from '../../../protocols/services/talk.ts'
import type { CollectContext } from '../../module.ts'
import { accessFor, proofOf } from './web-access.ts'

const MOST_BODY = 64 * 1024
const WAIT = 5_000
const KEPT = 4 * 1024

export interface WebProved extends Proved {
  readonly said: readonly Said[]
  readonly replay: string
  /** Of the front page: for imported rules. */
  readonly answer: {
    readonly server: string
    readonly title: string
    readonly cookie: string
    readonly auth: string
    readonly poweredBy: string
  }
}

/** Null where it speaks no HTTP. */
export const askWeb = async (
  ctx: CollectContext,
  port: number,
  secure: boolean,
  wait = WAIT,
): Promise<WebProved | null> => {
  const base = `${secure ? 'https' : 'http'}://${ctx.target.host}:${port}`
  const front = await get(ctx, `${base}/`, { wait })
  if (front === null) return null
  const answer = answerOf(front)
  const identity = identifyWeb(answer)
  const common = {
    ...identity,
    answer: {
      server: answer.header('server'),
      title: /<title[^>]{0,100}>([^<]{1,200})/i.exec(answer.body)?.[1]?.trim() ?? '',
      cookie: answer.header('set-cookie'),
      auth: answer.header('www-authenticate'),
      poweredBy: answer.header('x-powered-by'),
    },
  }
  for (const row of accessFor(port, answer.body)) {
    const reply = await get(ctx, `${base}${row.path}`, { post: row.post })
    const mark = reply === null ? null : proofOf(row, reply.status, reply.body)
    if (reply === null || mark === null) continue
    return {
      ...common,
      service: row.service,
      product: common.product,
      access: { kind: row.kind, says: `${reply.request.method} ${row.path.split('?')[0]}: ${row.says}`, mark },
      said: saidOf(reply),
      replay: `curl -sk ${row.post === null ? '' : `-d '${row.post}' `}'${base}${row.path}'`,
    }
  }
  return { ...common, service: 'http', access: null, said: saidOf(front), replay: `curl -skI '${base}/'` }
}

const get = async (
  ctx: CollectContext,
  url: string,
  { post = null, wait = WAIT }: { readonly post?: string | null; readonly wait?: number },
): Promise<HttpExchange | null> => {
  const sent = post === null ? {} : { method: 'POST', body: post }
  try {
    return await ctx.egress.http({ url, authenticated: false, maxBody: MOST_BODY, timeout: wait, ...sent })
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

const answerOf = (exchange: HttpExchange): WebAnswer => ({
  status: exchange.status,
  header: (name) => headerOf(exchange, name) ?? '',
  body: exchange.body.toString('utf8'),
})

const saidOf = ({ request, status, statusText, httpVersion, headers, body }: HttpExchange): Said[] => {
  const asked = [`${request.method} ${request.url}`, ...request.headers.map((pair) => pair.join(': '))].join('\r\n')
  const head = [`HTTP/${httpVersion} ${status} ${statusText}`, ...headers.map((pair) => pair.join(': '))].join('\r\n')
  const reply = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
  return [
    { from: 'us', bytes: Buffer.from(asked).subarray(0, KEPT).toString('base64'), size: asked.length },
    { from: 'peer', bytes: reply.subarray(0, KEPT).toString('base64'), size: reply.length },
  ]
}
