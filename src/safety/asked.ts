/** A request as it goes over the wire, as the policy reads one: its body tells names and values, and no types of fields. */
import { controlName } from '../page/names.ts'
import type { Asked } from './policy.ts'

export interface Sent {
  readonly method: string
  /** With the target as it is sent. */
  readonly url: string
  readonly contentType: string | null
  readonly body: string | null
  /** Nobody sends it, though the run has a session: it can end none, and nothing is somebody's. Default false. */
  readonly stranger?: boolean
}

export const asSent = ({ method, url, contentType, body }: Sent): Asked => {
  const type = contentType ?? ''
  const encoding =
    body === null || body === ''
      ? 'none'
      : /urlencoded/i.test(type) || /^[\w.[\]-]{1,80}=[^\s{<]*$/.test(body)
        ? 'urlencoded'
        : /json/i.test(type)
          ? 'json'
          : /xml/i.test(type)
            ? 'xml'
            : 'text'
  const pairs = encoding === 'urlencoded' ? [...new URLSearchParams(body ?? '')] : partsOf(body ?? '')
  const fields = pairs.map(([name, value]) => ({ name, value, type: typeOf(name) }))
  return { method, url, encoding, fields, body }
}

/** What signs in or changes a password is told by its name alone. */
const typeOf = (name: string): string =>
  /^(?:pass(?:word|wd|phrase)?|pwd|passwort|kennwort)$/i.test(controlName(name)) ? 'password' : 'text'

/** Names and values of a multipart body. */
const partsOf = (body: string): readonly (readonly [name: string, value: string])[] =>
  [...body.slice(0, 20_000).matchAll(/\bname="([^"\r\n]{1,80})"\r\n\r\n([^\r\n]{0,80})/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
