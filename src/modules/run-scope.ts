/** State that modules of one run share while it lasts. Nothing of it is part of anybody's facts. */

/** Names a piece of shared state and makes it when it is first asked for. One constant for each piece. */
export interface ScopeKey<Value> {
  readonly make: () => Value
}

export interface RunScope {
  /** The run's one value of this key. */
  readonly of: <Value>(key: ScopeKey<Value>) => Value
}

/** One for each run; it goes with the run. */
export const createRunScope = (): RunScope => {
  const values = new Map<ScopeKey<unknown>, unknown>()
  return {
    of: <Value>(key: ScopeKey<Value>): Value => {
      if (!values.has(key)) values.set(key, key.make())
      // Under a key stands only what that key has made.
      return values.get(key) as Value
    },
  }
}
