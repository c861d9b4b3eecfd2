/**
 * V8's optimising compilers work on threads of their own, on functions that were called some hundred times. What they make pays back
 * within seconds of computing: of a light run, which computes for a third of a second, they took a tenth and gave nothing.
 */
import { setFlagsFromString } from 'node:v8'

/** Names of V8's flags, see `node --v8-options`. */
const COMPILERS = ['opt', 'maglev']
/** Microseconds of processor time, of which its start has a fifth: what computes for longer is worth optimising. */
const AFTER = 700_000
/** Milliseconds between two looks. */
const EVERY = 100

/**
 * Nothing is optimised until this process has computed for so long (microseconds), or until the answer is called. Code that is loaded
 * meanwhile is compiled anew, as V8 tells kept code by its flags: only for what has loaded most of what it needs.
 */
export const holdOptimising = (after = AFTER): (() => void) => {
  for (const name of COMPILERS) setFlagsFromString(`--no-${name}`)
  const release = (): void => {
    clearInterval(timer)
    for (const name of COMPILERS) setFlagsFromString(`--${name}`)
  }
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system >= after) release()
  }, EVERY).unref()
  return release
}
