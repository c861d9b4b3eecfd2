/** A moment: how long ago, and exactly when for whoever points at it or listens. */
import { useSyncExternalStore } from 'react'
import { ago, dateTime } from '../format.ts'
import { useText } from '../i18n/text.tsx'

/** One clock for the page; a step of ten seconds is enough for "minutes ago". */
const STEP = 10_000
let now = Date.now()
const listeners = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | null = null
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  ticking ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, STEP)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || ticking === null) return
    clearInterval(ticking)
    ticking = null
  }
}
const useNow = (): number => useSyncExternalStore(subscribe, () => now)

export const Ago = ({ iso }: { readonly iso: string }) => {
  const { language } = useText()
  const current = Math.max(useNow(), Date.parse(iso))
  return (
    <time dateTime={iso} title={dateTime(iso, language)}>
      {ago(iso, language, current)}
    </time>
  )
}

export const When = ({ iso }: { readonly iso: string }) => {
  const { language } = useText()
  return <time dateTime={iso}>{dateTime(iso, language)}</time>
}
