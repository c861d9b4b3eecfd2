/** What of a description is a credential: it is neither kept nor sent, since a run has a login of its own or none. */
import { findSecrets } from '../knowledge/secrets/find.ts'

const HEADERS = /^(?:authorization|proxy-authorization|cookie2?|set-cookie|www-authenticate)$/i
const NAMED =
  /(?:^|[^a-z])(?:pass(?:word|wd|phrase)?|pwd|secret|token|jwt|bearer|credentials?|api[-_]?key|access[-_]?key|private[-_]?key|session(?:[-_]?id)?|sid|otp|cvv|cvc|pin|auth|signature)(?:$|[^a-z])|(?:password|passwd|secret|token|apikey|accesskey|privatekey|sessionid|credential)s?$/i
const JWT = /^(?:bearer\s+)?eyJ[\w-]{10,}\.[\w-]{10,}/i

/** A header that says who asks. */
export const isSecretHeader = (name: string): boolean => HEADERS.test(name) || isSecretName(name)

/** A name that holds a credential, however it is written. */
export const isSecretName = (name: string): boolean => NAMED.test(name.replace(/([a-z\d])([A-Z])/g, '$1-$2'))

/** A text that is one by its form, whatever it is called. */
export const isSecretValue = (value: string): boolean =>
  value.length >= 16 && value.length < 20_000 && (JWT.test(value) || findSecrets(value).length > 0)

/** Headers that the client sets by itself, for each request anew. */
export const isStanding = (name: string): boolean =>
  name.startsWith(':') ||
  /^(?:accept|accept-(?:encoding|language|charset)|connection|content-(?:length|type|encoding)|date|dnt|expect|host|if-.*|keep-alive|origin|pragma|cache-control|priority|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|x-requested-with)$/i.test(
    name,
  )
