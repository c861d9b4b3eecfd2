/**
 * What a site refuses has stored nothing: RFC 9110, 15.5 (4xx), and the ways in which applications refuse a form, which is shown again with what is wrong
 * in it, or led back to.
 */
import type { ProbeRequest } from './inventory.ts'

export interface WriteAnswer {
  readonly status: number
  /** Of a redirect; absent or empty where there is none. */
  readonly location?: string
  /** Absent where nobody has read it. */
  readonly text?: string
}

/** So many times the bound of a form may be refused, and counts nothing of it. */
export const REFUSALS = 2

/** `accepted`: the answer to the request as it is, as far as it is known. */
export const isRefusedWrite = (request: ProbeRequest, accepted: WriteAnswer | null, answer: WriteAnswer): boolean => {
  if (answer.status >= 400) return answer.status < 500
  if (accepted === null) return false
  if (!isRedirect(accepted)) return !isRedirect(answer) && isFormAgain(request, accepted, answer)
  // Post, redirect, get: who has stored something leads on to where it shows.
  if (!isRedirect(answer)) return answer.status >= 200 && answer.status < 300
  const [leads, usually] = [pageOf(request, answer), pageOf(request, accepted)]
  return leads !== usually && request.seenOn.some((page) => withoutQuery(page) === leads)
}

/** The fields once more, where what is taken is answered by a page that has none of them. */
const isFormAgain = ({ body }: ProbeRequest, accepted: WriteAnswer, answer: WriteAnswer): boolean => {
  const names = namesIn(body ?? '')
  const shown = ({ text = '' }: WriteAnswer): number => names.filter((name) => hasField(text, name)).length
  return names.length > 0 && shown(accepted) === 0 && shown(answer) * 2 >= names.length
}

/** Of a body as browsers send it: `name=value&…`, or in parts. */
const namesIn = (body: string): readonly string[] => {
  const parts = [...body.matchAll(/^content-disposition: form-data; name="([^"]*)"/gim)].map(([, name = '']) => name)
  return [...new Set(parts.length > 0 ? parts : /^[[{<]/.test(body) ? [] : new URLSearchParams(body).keys())].filter(
    Boolean,
  )
}

const hasField = (text: string, name: string): boolean =>
  [`name="${name}"`, `name='${name}'`, `name=${name} `, `name=${name}>`].some((one) => text.includes(one))

const isRedirect = ({ status, location = '' }: WriteAnswer): boolean =>
  [301, 302, 303].includes(status) && location !== ''

const pageOf = ({ url }: ProbeRequest, { location = '' }: WriteAnswer): string =>
  withoutQuery(URL.parse(location, url)?.href ?? location)

const withoutQuery = (url: string): string => url.split(/[?#]/)[0] ?? ''
