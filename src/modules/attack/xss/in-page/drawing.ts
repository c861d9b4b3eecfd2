/**
 * What a page is still being drawn by: timers that fire once, and data that its scripts have asked for. Runs before its own code, and
 * so knows of what a window asked for before anybody was told of the window.
 */

import { carriesMessages } from '../../../../page/transport.ts'
import type { Drawing } from '../browser/drawing.ts'

/** Milliseconds; a timer that waits longer is not waited for, nor the first turn of what ticks more slowly than that. */
const LATEST = { setTimeout: 5_000, setInterval: 3_000 }
/** How often the same timer may be set, and the same asked for: what goes on for ever is no part of drawing a page. */
const TURNS = { timer: 3, request: 2 }
/** Timers and requests that are told apart. */
const MOST_KEYS = 1_000

export function main(): void {
  if (window !== window.parent) return // Nobody asks a frame.
  const due = new Map<number, number>()
  let loading = 0
  const isEarly = turnsOf()
  watchTimers(due, isEarly)
  watchRequests((key, url) => {
    if (isOfMessages(url) || !isEarly(key, TURNS.request)) return () => undefined
    loading += 1
    let isOpen = true
    return () => {
      if (isOpen) loading -= 1
      isOpen = false
    }
  })
  Object.defineProperty(window, '__sondeDrawing', {
    get: (): Drawing => {
      const now = performance.now()
      for (const [id, at] of due) if (at <= now) due.delete(id)
      return { due: Math.max(0, refreshAt() - now, ...[...due.values()].map((at) => at - now)), loading }
    },
  })
}

/** When the document itself leads on, by its `<meta http-equiv=refresh>`; 0 where it does not, or only later. */
const refreshAt = (): number => {
  const content = document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? ''
  const seconds = /^\s*(\d+(?:\.\d+)?)\s*[;,]\s*\S/.exec(content)?.[1]
  const ms = Number(seconds ?? 0) * 1_000
  if (seconds === undefined || ms > LATEST.setTimeout) return 0
  const { loadEventEnd = 0 } = (performance.getEntriesByType('navigation')[0] ??
    {}) as Partial<PerformanceNavigationTiming>
  return (loadEventEnd || performance.now()) + ms
}

type IsEarly = (key: string, most: number) => boolean

const turnsOf = (): IsEarly => {
  const turns = new Map<string, number>()
  return (key, most) => {
    const turn = (turns.get(key) ?? 0) + 1
    if (turns.size < MOST_KEYS) turns.set(key, turn)
    return turn <= most
  }
}

const watchTimers = (due: Map<number, number>, isEarly: IsEarly): void => {
  const timers = window as unknown as Record<string, (...given: unknown[]) => number>
  for (const [name, latest] of Object.entries(LATEST)) {
    const own = timers[name]
    if (own === undefined) continue
    timers[name] = function (this: unknown, ...given: unknown[]): number {
      const [work, wait] = given
      const id = own.apply(window, given)
      const ms = Number(wait) || 0
      if (ms <= latest && isEarly(`${ms} ${String(work).slice(0, 1_000)}`, TURNS.timer))
        due.set(id, performance.now() + ms)
      return id
    }
  }
  for (const name of ['clearTimeout', 'clearInterval']) {
    const own = timers[name]
    if (own === undefined) continue
    timers[name] = function (this: unknown, ...given: unknown[]): number {
      due.delete(Number(given[0]))
      return own.apply(window, given)
    }
  }
}

/** It is answered once there is a message. */
const isOfMessages = (url: string): boolean => {
  const absolute = URL.parse(url, document.baseURI)
  return absolute !== null && carriesMessages(absolute)
}

/** `begins` hears of each, and gives what ends it. */
const watchRequests = (begins: (key: string, url: string) => () => void): void => {
  const own = window.fetch
  window.fetch = function (this: unknown, ...given: Parameters<typeof own>): Promise<Response> {
    const [asked, options] = given
    const method = options?.method ?? (asked instanceof Request ? asked.method : 'GET')
    const url = asked instanceof Request ? asked.url : String(asked)
    const ended = begins(keyOf(method, url, options?.body), url)
    const answer = own.apply(window, given)
    answer.then(ended, ended)
    return answer
  }
  const { open, send } = XMLHttpRequest.prototype
  const opened = new WeakMap<XMLHttpRequest, readonly [method: string, url: string]>()
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...given: unknown[]): void {
    opened.set(this, [String(given[0]), String(given[1])])
    open.apply(this, given as unknown as Parameters<typeof open>)
  }
  XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body?: Parameters<typeof send>[0]): void {
    const [method, url] = opened.get(this) ?? ['', '']
    this.addEventListener('loadend', begins(keyOf(method, url, body), url))
    send.call(this, body)
  }
}

/** Without what makes each turn of the same question another address. */
const keyOf = (method: string, url: string, body: unknown): string =>
  `${method.toUpperCase()} ${url.split(/[?#]/)[0] ?? ''} ${typeof body === 'string' ? body : ''}`
