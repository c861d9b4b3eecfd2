/** Keys that work anywhere on a page with a list, but never while somebody writes or a dialog is open. */
import { useEffect, useRef } from 'react'

export const useRowKeys = (actions: Readonly<Record<string, () => void>>): void => {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const at = event.target instanceof Element ? event.target : null
      if (at?.closest('input:not([type="checkbox"]), textarea, select, dialog, [contenteditable]')) return
      const action = latest.current[event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
