/** The scroll that goes after the row that keys are about. */
import { useCallback, useEffect, useRef } from 'react'
import type { Wanted } from './follow.ts'

/** Scrolls to what is asked for: behind the frame that shows the row, or at once where it is out of sight. */
export const useFollow = (): ((ask: () => Wanted | null) => void) => {
  const latest = useRef<(() => Wanted | null) | null>(null)
  useEffect(
    () => () => {
      latest.current = null
    },
    [],
  )
  return useCallback((ask) => {
    const now = ask()
    const waits = latest.current !== null
    latest.current = null
    if (now === null) return
    if (!now.inSight) return window.scrollTo({ top: now.top })
    latest.current = ask
    // One is on its way: it asks for what is wanted by then.
    if (waits) return
    requestAnimationFrame(() =>
      setTimeout(() => {
        const then = latest.current?.()
        latest.current = null
        if (then) window.scrollTo({ top: then.top })
      }),
    )
  }, [])
}
