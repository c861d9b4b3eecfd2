/** Light or dark: as the reader's system, or as they chose here. */
import { useSyncExternalStore } from 'react'
import { remember, remembered } from './storage.ts'

export type Scheme = 'light' | 'dark'
const STORED = 'sonde.scheme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const chosen = (): Scheme | null => {
  const value = remembered(STORED)
  return value === 'light' || value === 'dark' ? value : null
}

const current = (): Scheme => chosen() ?? (system.matches ? 'dark' : 'light')

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}

export const useScheme = (): [Scheme, (scheme: Scheme) => void] => {
  const scheme = useSyncExternalStore(subscribe, current)
  return [
    scheme,
    (next) => {
      remember(STORED, next)
      for (const listener of listeners) listener()
    },
  ]
}
