import { commonHeaders, type HeaderPairs, pageHeaders } from '../headers.ts'
import { ROUTES } from '../routes/index.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { type Ask, matches, type Reply, redirect } from './route.ts'

export interface Answer {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
}

/** One request, one answer. Pure but for carts and sessions. */
export const answer = (ask: Ask): Answer => {
  if (ask.shop.fixed && !ask.secure) return toSecure(ask)
  const reply = malformed(ask) ?? route(ask) ?? missing
  const page = reply.page
  const body = page === undefined ? (reply.body ?? '') : layout(ask, page.title, page.body)
  const type = page === undefined ? (reply.type ?? 'text/plain; charset=utf-8') : 'text/html; charset=utf-8'
  return {
    status: reply.status ?? 200,
    headers: [
      ...commonHeaders(ask),
      ...(page === undefined ? [] : pageHeaders(ask)),
      ['Content-Type', type],
      ...(reply.headers ?? []),
    ],
    body,
  }
}

const route = (ask: Ask): Reply | null => {
  for (const candidate of ROUTES) {
    const reply = matches(candidate, ask.url.pathname) ? candidate.answer(ask) : null
    if (reply !== null) return reply
  }
  return null
}

const missing: Reply = {
  status: 404,
  page: {
    title: 'Not here',
    body: html`<main class="wrap"><h2>This page is not here</h2><p><a href="/">Back to the shop</a></p></main>`,
  },
}

/** The twin sends every plain request to the same place over https, and answers nothing else. */
const toSecure = ({ shop, url }: Ask): Answer => {
  const reply = redirect(`${shop.httpsOrigin}${url.pathname}${url.search}`)
  return { status: 301, headers: [...(reply.headers ?? []), ['Content-Type', 'text/plain; charset=utf-8']], body: '' }
}

const PYTHON_TRACE = `Traceback (most recent call last):
  File "/srv/northfold/app/routing.py", line 88, in dispatch
    path = unquote(raw, errors="strict")
  File "/usr/lib/python3.9/urllib/parse.py", line 661, in unquote
    append(unquote_to_bytes(bits[i]).decode(encoding, errors))
UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc0 in position 0: invalid start byte
`

/** A path that does not decode. The flawed shop prints its stack. */
const malformed = ({ url, shop }: Ask): Reply | null => {
  try {
    decodeURIComponent(url.pathname)
    return null
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause
    return shop.fixed
      ? { status: 400, page: { title: 'Bad request', body: html`<main class="wrap"><h2>Bad request</h2></main>` } }
      : { status: 500, body: PYTHON_TRACE, type: 'text/plain; charset=utf-8' }
  }
}
