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

/** What was done on the page, each once: which property was set, which method called. Each is read by code of its own; empty for other bodies. */
export const doneByComponents = (whole: unknown): readonly string[] => {
  if (!isObject(whole)) return []
  const updates = isObject(whole.serverMemo) && Array.isArray(whole.updates) ? whole.updates : []
  const parts = Array.isArray(whole.components) ? whole.components.filter(isObject) : []
  const calls = parts.flatMap((one) => (typeof one.snapshot === 'string' && Array.isArray(one.calls) ? one.calls : []))
  const named = [...updates.map((one) => (isObject(one) ? one.payload : null)), ...calls].filter(isObject)
  return [...new Set(named.flatMap(({ name, method }) => [name, method].filter((one) => typeof one === 'string')))]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
