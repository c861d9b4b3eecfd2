/** Whether what is sent holds what only the site's own pages know, or comes with a header, so that another site cannot send it (CWE-352). */
import { isStateField } from '../../../../page/postbacks.ts'
import { pairsWith } from '../../insertion-points/body.ts'
import { compose } from '../../insertion-points/compose.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import type { Approach } from '../browser/approach.ts'
import { newNonce, type Prover } from '../proving.ts'

/** Names of fields that hold what only the site's own pages know. */
const TOKEN = /csrf|xsrf|token|nonce|authenticity|sectok|viewstate|eventvalidation|form_?(?:key|build_id)/i

/** Whether it takes such a field, or who asks stands in a header: with none of them right, the script does not run. */
export const isGuarded = async (
  probe: Probe,
  payload: string,
  nonce: number,
  prover: Prover | string,
): Promise<boolean> => {
  const { point } = probe
  const again = newNonce()
  const request = compose(point, payload.replaceAll(String(nonce), String(again)))
  if (!request || typeof prover === 'string') return false
  const wrong = (pairs: string): string =>
    pairsWith(pairs, (name) => (name !== point.name && TOKEN.test(name) ? 'x' : null))
  const body = request.body === undefined ? null : String(request.body)
  const [path = '', query] = request.url.split(/\?(.*)/s)
  const method = request.method ?? 'GET'
  const other = {
    url: query === undefined ? path : `${path}?${wrong(query)}`,
    body: body === null ? null : wrong(body),
  }
  if ((await prover.byHeader(request.url)) && !(await isSharedState({ method, url: request.url, body }, again, prover)))
    return true
  if (other.url === request.url && other.body === body) return false
  if ((await prover.prove({ method, ...other }, again)).ran !== null) return false
  const pairs = [...new URLSearchParams(query), ...new URLSearchParams(body ?? '')]
  const isState = pairs.every(([name]) => name === point.name || !TOKEN.test(name) || isStateField(name))
  return !isState || !(await isSharedState({ method, url: request.url, body }, again, prover))
}

/**
 * Whether the state of a page that one visitor was given is taken from another: most applications bind it to nobody, and another site then knows it as
 * well. Where a page is for accounts alone nobody else has one to try.
 */
const isSharedState = async (approach: Approach, nonce: number, prover: Prover): Promise<boolean> => {
  const apart = await prover.stranger({ authenticated: false })
  const { ran } = await apart.prove(approach, nonce).finally(() => apart.close())
  return ran !== null
}
