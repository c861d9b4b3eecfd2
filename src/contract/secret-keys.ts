/** The secret keys of an installation while one replaces another. */

/** What is new is sealed and signed with `current`; what any of `accepted` has sealed or signed is opened and believed. */
export interface SecretKeys {
  /** 32 bytes, as each of them. Read it each time: it changes while the service runs. */
  readonly current: Buffer
  /** `current` first. */
  readonly accepted: readonly Buffer[]
}

/** Of an installation whose key was never replaced. */
export const oneKey = (key: Buffer): SecretKeys => ({ current: key, accepted: [key] })

/** The keys that are made of these for one purpose, as they change; each is made once. */
export const derivedKeys = (keys: SecretKeys, derive: (key: Buffer) => Buffer): SecretKeys => {
  const made = new WeakMap<Buffer, Buffer>()
  const of = (key: Buffer): Buffer => {
    const derived = made.get(key) ?? derive(key)
    made.set(key, derived)
    return derived
  }
  return {
    get current() {
      return of(keys.current)
    },
    get accepted() {
      return keys.accepted.map(of)
    },
  }
}
