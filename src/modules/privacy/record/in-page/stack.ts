/** V8's additions to Error, as they are before a page can change them. */
const NativeError: ErrorConstructor & { stackTraceLimit?: number; prepareStackTrace?: unknown } = Error

export const stackNow = (): string => {
  const { stackTraceLimit, prepareStackTrace } = NativeError
  NativeError.stackTraceLimit = 30
  NativeError.prepareStackTrace = undefined
  const stack = String(new NativeError().stack)
  NativeError.stackTraceLimit = stackTraceLimit
  NativeError.prepareStackTrace = prepareStackTrace
  return stack
}

/** Address of the innermost script that is running and is not this one. */
export const scriptOf = (stack: string = stackNow()): string =>
  (/(?:https?|blob|data|file):[^\s)]+?(?=:\d+:\d+\)?\s*$)/m.exec(stack)?.[0] ?? '').slice(0, 500)

/** Functions and places of the page's scripts, the innermost first. */
export const framesOf = (stack: string): string[] =>
  stack
    .split('\n')
    .filter((line) => /(?:https?|blob|data):/.test(line))
    .map((line) => line.trim().slice(0, 300))
    .slice(0, 8)
