/** Forms as they are sent, as pairs or in parts (RFC 7578). */
import type { RequestTemplate } from '../crawl/facts.ts'
import { formWith, multipartWith } from '../insertion-points/body.ts'

/** Fields of a form, however they are sent; a file in it has the example of the crawl. */
export const isForm = ({ encoding }: Pick<RequestTemplate, 'encoding'>): boolean =>
  encoding === 'urlencoded' || encoding === 'multipart'

/** The body of a form with another value in a field. */
export const fieldWith = (
  { encoding }: Pick<RequestTemplate, 'encoding'>,
  body: string,
  name: string,
  value: string,
): string => {
  if (encoding === 'urlencoded') return formWith(body, name, value)
  const boundary = /^--(\S+)/.exec(body)?.[1] ?? ''
  return multipartWith(body, `multipart/form-data; boundary=${boundary}`, name, value) ?? body
}
