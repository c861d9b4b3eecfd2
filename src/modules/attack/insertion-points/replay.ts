/** A request as a curl command that a person can paste. Credentials are egress's alone and never in it. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { shellQuoted } from '../../evidence/pages.ts'

export const curlOf = (request: HttpRequest): string =>
  [
    'curl -isk --path-as-is',
    ...(request.method && request.method !== 'GET' ? [`-X ${request.method}`] : []),
    ...(request.headers ?? []).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(request.body === undefined ? [] : [`--data-binary ${shellQuoted(String(request.body))}`]),
    shellQuoted(request.url),
  ].join(' ')
