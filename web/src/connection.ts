/** Whether the service answered the last time that it was asked: what the page knows, whatever the browser says of the network. */
import { useSyncExternalStore } from 'react'

let answers = true
const listeners = new Set<() => void>()

export const noteConnection = (answered: boolean): void => {
  if (answered === answers) return
  answers = answered
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConnection = (): boolean => useSyncExternalStore(subscribe, () => answers)
