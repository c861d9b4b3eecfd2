/** What V8 has compiled of this process, kept for the next: by the first file of its build, main/start-scan.cts. */

const KEEP = Symbol.for('sonde.keepCode')

/** Does nothing where the sources run, or where it is kept already. */
export const keepCode = (): void => {
  const keep: unknown = Reflect.get(globalThis, KEEP)
  if (typeof keep !== 'function') return
  try {
    keep()
  } catch (error) {
    // The next run tries again; each costs a sixth more without.
    console.error(`what was compiled cannot be kept for later runs: ${error instanceof Error ? error.message : error}`)
  }
}
