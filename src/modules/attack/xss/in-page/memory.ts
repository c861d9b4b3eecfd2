/** What sinks.ts notes in a page before its own code runs, for what asks the page later. */
export interface Memory {
  /** Sources of the functions that listen to messages. */
  readonly listeners: string[]
  readonly names: Set<string>
  readonly keys: Set<string>
  /** Scripts of the document as it was parsed: a page that writes itself anew has none of them any more. */
  scripts: readonly HTMLScriptElement[]
  /** Its scripts read cookies. */
  cookie: boolean
  /** Elements that are no scripts, when it was parsed and before its deferred scripts ran. */
  parsed?: number
}

/** Null in a page that was opened without sinks.ts. */
export const memoryOf = (): Memory | null => (window as { __sondeDom?: Memory }).__sondeDom ?? null

export const remember = (memory: Memory): void => {
  Object.defineProperty(window, '__sondeDom', { value: memory })
}

export const countElements = (): number =>
  (document.body as HTMLElement | null)?.querySelectorAll('*:not(script)').length ?? 0
