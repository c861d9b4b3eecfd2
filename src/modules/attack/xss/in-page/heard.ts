/** Which elements of a page hear of what is done to them: the browser tells nobody what was given to `addEventListener`. */
export interface Heard {
  readonly on: WeakMap<object, Set<string>>
  /** Something is listened to that people do. */
  pressed: boolean
  /** Something happens where the page is scrolled. */
  scrolled: boolean
  /** Something happens where another part of the page is gone to. */
  follows: boolean
}

/** Null in a page that was opened without listeners.ts. */
export const heardOf = (): Heard | null => (window as { __sondeHeard?: Heard }).__sondeHeard ?? null

/** Whether it hears of scrolling, and can be scrolled. */
export const scrolls = (): boolean =>
  (heardOf()?.scrolled === true || typeof window.onscroll === 'function') &&
  document.documentElement.scrollHeight > innerHeight

/** Whether it hears of another part behind the # while it is open. */
export const follows = (): boolean => heardOf()?.follows === true || typeof window.onhashchange === 'function'

export const hearFor = (heard: Heard): void => {
  Object.defineProperty(window, '__sondeHeard', { value: heard })
}
