/**
 * What components that live on the server send with each message of theirs: their state, signed, and what was done on the page. The framework reads the
 * first and refuses it altered; values of the application stand in the second. Livewire 2 (`fingerprint`, `serverMemo`, `updates`) and 3 (`components` with
 * `snapshot`, `updates`, `calls`), https://livewire.laravel.com/docs/hydration.
 */
import { jsonOf } from '../../../page/json.ts'

/** Of a body of JSON: by JSON Pointer (RFC 6901), whether a member is the framework's. */
export const ofComponents = (body: string): ((pointer: string) => boolean) => {
  const whole = jsonOf(body)
  if (!isObject(whole)) return () => false
  if (isObject(whole.fingerprint) && isObject(whole.serverMemo) && Array.isArray(whole.updates))
    return (pointer) => !/^\/updates\/\d+\/payload\/(?:value|params|data)(?:\/|$)/.test(pointer)
  const { components } = whole
  if (Array.isArray(components) && components.some((one) => isObject(one) && typeof one.snapshot === 'string'))
    return (pointer) => !/^\/components\/\d+\/(?:updates\/|calls\/\d+\/params(?:\/|$))/.test(pointer)
  return () => false
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
