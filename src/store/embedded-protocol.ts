/** What the embedded engine's thread and its owner say to each other. */
export type ToThread =
  /** `begins`: a transaction, with this statement. */
  | {
      readonly id: number
      readonly type: 'query'
      readonly sql: string
      readonly params: readonly unknown[] | null
      readonly begins?: true
    }
  | { readonly id: number; readonly type: 'listen'; readonly channel: string }
  | { readonly id: number; readonly type: 'close' }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'notification'; readonly channel: string; readonly payload: string }
  /** `binary` names the columns that hold bytes. */
  | { readonly type: 'rows'; readonly id: number; readonly rows: Record<string, unknown>[]; readonly binary: string[] }
  | { readonly type: 'error'; readonly id: number; readonly code: string | null; readonly message: string }

/** The engine throws numbers of its own for what the file system said; 44 is ENOENT (WASI preview 1, errno). */
export const whyStopped = (cause: unknown, folder: string): string => {
  const errno = (cause as { readonly errno?: unknown } | null)?.errno
  if (errno === 44) return `something in ${folder} was removed under it`
  if (typeof errno === 'number') return `the file system refused it (WASI error ${errno})`
  return cause instanceof Error ? cause.message : String(cause)
}
