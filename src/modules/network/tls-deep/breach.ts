/** BREACH: a page that is compressed, repeats what the visitor sends and holds a secret gives the secret away by its length. */
import { randomBytes } from 'node:crypto'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { headerOf } from '../../../page/exchange.ts'
import type { CollectContext } from '../../module.ts'
import type { TlsDeepFacts } from './facts.ts'

/** Hidden fields and meta tags that carry a secret of the session. */
const SECRET = /<(?:input|meta)\b[^>]{0,300}(?:csrf|xsrf|token|nonce|authenticity)[^>]{0,300}>/i

export const probeBreach = async (ctx: CollectContext, baseUrl: string): Promise<TlsDeepFacts['breach']> => {
  const canary = `sonde${randomBytes(6).toString('hex')}`
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:') return { verdict: 'not_applicable', notes: ['the site is not served over https'] }
  url.searchParams.set('q', canary)
  try {
    const page = await ctx.egress.http({ url: url.href, headers: [['Accept-Encoding', 'gzip, deflate, br, zstd']] })
    const coding = headerOf(page, 'content-encoding') ?? 'none'
    if (coding === 'none' || coding === 'identity') return { verdict: 'safe', notes: ['Content-Encoding: none'] }
    const text = page.body.toString('utf8')
    const reflected = text.includes(canary)
    const secret = SECRET.test(text)
    const notes = [
      `Content-Encoding: ${coding}`,
      `input repeated on the page: ${reflected ? 'yes' : 'no'}`,
      `secret in a field: ${secret ? 'yes' : 'no'}`,
    ]
    return { verdict: reflected && secret ? 'vulnerable' : 'compressed', notes }
  } catch (error) {
    const failure = targetFailure(error)
    if (failure === null) throw error
    return { verdict: 'inconclusive', notes: [failure.message] }
  }
}
