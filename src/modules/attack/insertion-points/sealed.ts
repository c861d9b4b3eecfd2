/**
 * Values that an application has encrypted and signed for itself. What is sent in their place is thrown away before any program reads it, so that a
 * cookie of them is no place, and what stands in their wrapping no value.
 */
import { jsonOf } from '../../../page/json.ts'

const LONGEST = 8_192

/** `value`: decoded once, as it stands in a form. */
export const isSealed = (value: string): boolean =>
  value.length <= LONGEST && (isOfLaravel(value) || RAILS.test(value) || DOTNET.test(value))

/** Base64 of `{"iv": …, "value": …, "mac": …}` (Illuminate\Encryption\Encrypter). */
const isOfLaravel = (value: string): boolean => {
  if (!/^eyJ[\w+/-]+={0,2}$/.test(value)) return false
  const held = jsonOf(Buffer.from(value, 'base64').toString('utf8'))
  if (typeof held !== 'object' || held === null) return false
  const { iv, value: text, mac } = held as Readonly<Record<string, unknown>>
  return [iv, text, mac].every((one) => typeof one === 'string')
}

/** Text, nonce of 12 bytes and tag of 16, each in Base64 (ActiveSupport::MessageEncryptor, AES-256-GCM). */
const RAILS = /^[\w+/-]+={0,2}--[\w+/-]{16}--[\w+/-]{22}==$/
/** The head of ASP.NET Core's data protection: 09 F0 C9 F0. */
const DOTNET = /^CfDJ8[\w-]{40,}$/
