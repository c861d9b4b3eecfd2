/** A word first, then the fate of special characters, then payloads for the contexts in which the word came out. */
import { randomBytes } from 'node:crypto'
import { defaultTreeAdapter } from 'parse5'
import { parseBounded } from '../../../../page/html.ts'
import { decoded, encodeValue } from '../../insertion-points/body.ts'
import { compose, withQuery } from '../../insertion-points/compose.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { around as aroundMark } from '../../insertion-points/verdict.ts'
import { contextsOf, nodesOf, quoteAt } from '../contexts.ts'
import type { Context, MarkupHit, ReflectedHit } from '../facts.ts'
import { CALL, markupOf, matrixOf, payloadsFor, survivors } from '../payloads.ts'
import { newNonce, type Proof, type Prover } from '../proving.ts'

const MOST_PAYLOADS = 8

/** The answer to a word that stands nowhere else. */
export const sendWord = async (probe: Probe): Promise<{ readonly word: string; readonly reply: Reply }> => {
  const word = `qx${randomBytes(5).toString('hex')}`
  return { word, reply: await probe.send(word) }
}

export const isPage = ({ contentType, headers }: Reply): boolean => {
  const header = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1]?.toLowerCase() ?? ''
  if (header('content-disposition').startsWith('attachment')) return false
  if (contentType === '') return header('x-content-type-options') !== 'nosniff'
  return ['text/html', 'application/xhtml+xml', 'image/svg+xml'].includes(contentType)
}

export const askReflections = async (
  probe: Probe,
  word: string,
  first: Reply,
  prover: Prover | string,
): Promise<ReflectedHit | MarkupHit | null> => {
  const contexts = contextsOf(first.text, word)
  if (contexts.length === 0) return null
  const matrix = await probe.send(matrixOf(word), { language: 'markup' })
  const alive = survivors(matrix.text, word)
  let best: ReflectedHit | null = null
  let sent = 0
  for (const context of contexts) {
    const nonces = payloadsFor(context, '', `${CALL}(0)`, alive).map(() => newNonce())
    for (const [index, nonce] of nonces.entries()) {
      const payload = payloadsFor(context, '', `${CALL}(${nonce})`, alive)[index]
      if (payload === undefined || sent >= MOST_PAYLOADS) continue
      sent += 1
      const hit = await tryPayload(probe, context, payload, nonce, prover)
      if (hit?.ran === 'load') return hit
      best = better(best, hit)
    }
  }
  const template = best?.ran ? null : await askTemplates(probe, first, contexts, alive, prover)
  if (template) return template
  return best ?? (contexts.some((one) => one.kind === 'text') ? askMarkup(probe, word) : null)
}

/** Pages that draw themselves with AngularJS or Vue evaluate braces that no encoding of HTML touches. */
const DRAWS =
  /\bng-(?:app|controller|bind|init)|\bdata-ng-|angular(?:\.min)?\.js|\bv-(?:if|for|bind|on|model|cloak|html|text)\b|vue(?:\.global|\.runtime|\.min|\.prod)*\.js|Vue\.createApp|new Vue\(/i

const askTemplates = async (
  probe: Probe,
  first: Reply,
  contexts: readonly Context[],
  alive: ReadonlySet<string>,
  prover: Prover | string,
): Promise<ReflectedHit | null> => {
  if (unprovenBy(probe, prover) !== null || typeof prover === 'string' || !DRAWS.test(first.text)) return null
  const around = contexts.find(({ kind }) => kind === 'text' || kind === 'attribute' || kind === 'raw-text')
  if (!around) return null
  const context: Context = { ...around, kind: 'template', quote: '' }
  const ways = payloadsFor(context, '', `${CALL}(0)`, alive).length
  for (let way = 0; way < ways; way += 1) {
    const nonce = newNonce()
    const payload = payloadsFor(context, '', `${CALL}(${nonce})`, alive)[way] ?? ''
    const proof = await proofOf(probe, payload, nonce, prover)
    if (proof.ran !== 'load') continue
    const reply = await probe.send(payload, { language: 'markup' })
    const mark = reply.text.includes(payload) ? payload : `${CALL}(${nonce})`
    return {
      kind: 'reflected',
      context,
      payload,
      parsed: true,
      ...proof,
      unproven: null,
      excerpt: aroundMark(reply.text, mark),
      mark,
      replay: reply.replay,
      address: addressOf(probe, payload, nonce),
    }
  }
  return null
}

const better = (a: ReflectedHit | null, b: ReflectedHit | null): ReflectedHit | null => {
  if (!a || !b) return a ?? b
  return a.ran === null && b.ran !== null ? b : a
}

const tryPayload = async (
  probe: Probe,
  context: Context,
  payload: string,
  nonce: number,
  prover: Prover | string,
): Promise<ReflectedHit | null> => {
  const reply = await probe.send(payload, { language: 'markup' })
  const call = `${CALL}(${nonce})`
  const parsed = isPage(reply) && runsIn(reply.text, call)
  if (!parsed) return null
  const { ran, refused, screenshot } = await proofOf(probe, payload, nonce, prover)
  return {
    kind: 'reflected',
    context,
    payload,
    parsed,
    ran,
    refused,
    unproven: unprovenBy(probe, prover),
    guarded: ran !== null && (await isGuarded(probe, payload, nonce, prover)),
    excerpt: aroundMark(reply.text, reply.text.includes(payload) ? payload : call),
    mark: reply.text.includes(payload) ? payload : call,
    replay: reply.replay,
    address: ran === null ? null : await shortest(probe, payload, nonce, prover),
    screenshot,
  }
}

const NOTHING: Proof = { ran: null, refused: false, screenshot: null }

const proofOf = async (probe: Probe, payload: string, nonce: number, prover: Prover | string): Promise<Proof> => {
  if (unprovenBy(probe, prover) !== null || typeof prover === 'string') return NOTHING
  const request = compose(probe.point, payload)
  if (!request) return NOTHING
  const body = request.body === undefined ? null : String(request.body)
  return prover.prove({ method: request.method ?? 'GET', url: request.url, body }, nonce)
}

/** Names of fields that hold what only the site's own pages know. */
const TOKEN = /csrf|xsrf|token|nonce|authenticity|sectok|viewstate|eventvalidation|form_?(?:key|build_id)/i

/** Whether it takes such a field: with none of them right, the script does not run. */
const isGuarded = async (probe: Probe, payload: string, nonce: number, prover: Prover | string): Promise<boolean> => {
  const { point } = probe
  const again = newNonce()
  const request = compose(point, payload.replaceAll(String(nonce), String(again)))
  if (!request || typeof prover === 'string') return false
  const wrong = (pairs: string): string =>
    pairs
      .split('&')
      .map((pair) => {
        const name = decoded(pair.split('=')[0] ?? '')
        return name !== point.name && TOKEN.test(name) ? `${encodeValue(name)}=x` : pair
      })
      .join('&')
  const body = request.body === undefined ? null : String(request.body)
  const [path = '', query] = request.url.split(/\?(.*)/s)
  const other = {
    url: query === undefined ? path : `${path}?${wrong(query)}`,
    body: body === null ? null : wrong(body),
  }
  if (other.url === request.url && other.body === body) return false
  return (await prover.prove({ method: request.method ?? 'GET', ...other }, again)).ran === null
}

/** The address with this parameter alone, where that is enough for the script to run. */
const shortest = async (
  probe: Probe,
  payload: string,
  nonce: number,
  prover: Prover | string,
): Promise<string | null> => {
  const { request, point } = probe
  if (request.method !== 'GET') return null
  const url = new URL(request.url)
  if (point.place !== 'query' || url.searchParams.size < 2 || typeof prover === 'string')
    return addressOf(probe, payload, nonce)
  const again = newNonce()
  const bare = withQuery(`${url.origin}${url.pathname}`, point.name, payload.replaceAll(String(nonce), String(again)))
  const { ran } = await prover.prove({ method: 'GET', url: bare, body: null }, again)
  return ran === null ? addressOf(probe, payload, nonce) : shown(bare, again)
}

const addressOf = ({ request, point }: Probe, payload: string, nonce: number): string | null =>
  request.method === 'GET' ? shown(compose(point, payload)?.url ?? null, nonce) : null

/** With `alert` in place of our call, which no other browser has. */
const shown = (url: string | null, nonce: number): string | null =>
  url?.replaceAll(encodeValue(`${CALL}(${nonce})`), encodeValue(`alert(${nonce})`)) ?? null

/** Another site can make a visitor's browser send addresses and forms, nothing else. */
const unprovenBy = ({ point, request }: Probe, prover: Prover | string): string | null => {
  if (point.members) return 'several places at once'
  if (!['query', 'path', 'form', 'name'].includes(point.place) || !['GET', 'POST'].includes(request.method))
    return 'another site cannot make a browser send this'
  return typeof prover === 'string' ? prover : null
}

/** Whether the call stands where a browser runs it: in a handler, a script, or a javascript: address. */
export const runsIn = (html: string, call: string): boolean => {
  for (const node of nodesOf(parseBounded(html).document)) {
    if (!defaultTreeAdapter.isElementNode(node)) continue
    if (
      node.attrs.some(
        ({ name, value }) =>
          value.includes(call) && (/^on[a-z]/.test(name) ? inCode(value, call) : /^\s*javascript:/i.test(value)),
      )
    )
      return true
    if (
      node.tagName === 'script' &&
      node.childNodes.some((one) => defaultTreeAdapter.isTextNode(one) && inCode(one.value, call))
    )
      return true
  }
  return false
}

const inCode = (code: string, call: string): boolean => {
  const at = code.indexOf(call)
  if (at < 0) return false
  const quote = quoteAt(code, at)
  return quote === '' || (quote === '`' && code.slice(0, at).endsWith('${'))
}

const askMarkup = async (probe: Probe, word: string): Promise<MarkupHit | null> => {
  const payload = markupOf('', word)
  const reply = await probe.send(payload, { language: 'markup' })
  const mark = `<b id=${word}>`
  const made = [...nodesOf(parseBounded(reply.text).document)].some(
    (node) =>
      defaultTreeAdapter.isElementNode(node) && node.tagName === 'b' && node.attrs.some(({ value }) => value === word),
  )
  return made && isPage(reply)
    ? {
        kind: 'markup',
        payload,
        excerpt: aroundMark(reply.text, mark),
        mark: reply.text.includes(mark) ? mark : word,
        replay: reply.replay,
      }
    : null
}
