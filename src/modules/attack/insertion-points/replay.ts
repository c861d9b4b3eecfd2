/** A request as a curl command that a person can paste. Credentials are egress's alone and never in it. */
import { type HttpRequest, SAYS } from '../../../egress/door/egress.ts'
import { shellQuoted } from '../../evidence/pages.ts'

/** A body that is no text comes out of base64. */
export const curlOf = (request: HttpRequest): string =>
  `${request.method === SAYS ? saidOf(request) : curled(request)}${asWhom(request)}`

/** Of another identity than the one that the run scans as: whose credentials have to be put in. */
const asWhom = ({ as }: HttpRequest): string => (as == null ? '' : ` # signed in as ${as.replace(/[^\w .@-]/g, '?')}`)

/** A message over a WebSocket, by a client that reads it from its input. */
const saidOf = ({ url, headers = [], body }: HttpRequest): string =>
  [
    `printf %s ${shellQuoted(String(body ?? ''))} |`,
    'websocat -k -n1',
    ...headers
      .filter(([name]) => !/^content-/i.test(name))
      .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(headers.some(([name]) => name.toLowerCase() === 'origin') ? [] : [`--origin ${new URL(url).origin}`]),
    shellQuoted(url.replace(/^http/, 'ws')),
  ].join(' ')

const curled = (request: HttpRequest): string =>
  [
    ...(request.body instanceof Uint8Array
      ? [`echo ${Buffer.from(request.body).toString('base64')} | base64 -d |`]
      : []),
    'curl -isk --path-as-is',
    ...(request.target === undefined ? [] : [`--request-target ${shellQuoted(request.target)}`]),
    ...(request.method && request.method !== 'GET' ? [`-X ${request.method}`] : []),
    ...(request.headers ?? []).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(request.body === undefined ? [] : [`--data-binary ${dataOf(request.body)}`]),
    shellQuoted(request.url),
  ].join(' ')

const dataOf = (body: Uint8Array | string): string => (typeof body === 'string' ? shellQuoted(body) : '@-')
