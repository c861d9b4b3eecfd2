import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('./optimising.ts', import.meta.url).href

/** Whether V8 optimises what is called again and again: before it is held, while it is, and once the process has computed. */
const SCRIPT = `
import { holdOptimising } from ${JSON.stringify(MODULE)}
const OPTIMISED = 1 << 4 // kOptimized, V8's runtime.h
const fresh = () => new Function('n', 'let sum = 0; for (let i = 0; i < n; i += 1) sum += i % 7; return sum')
const isOptimised = () => {
  const hot = fresh()
  for (let call = 0; call < 3000; call += 1) hot(500)
  const status = %GetOptimizationStatus(hot)
  return (status & OPTIMISED) !== 0
}
const used = () => process.cpuUsage().user + process.cpuUsage().system
const LATE = used() + 300_000
const said = [isOptimised()]
holdOptimising(LATE)
said.push(isOptimised())
while (used() < LATE);
const until = Date.now() + 20_000
let late = false
while (!late && Date.now() < until) {
  await new Promise((resolve) => setImmediate(resolve))
  late = isOptimised()
}
said.push(late)
console.log(JSON.stringify(said))
`

test('nothing is optimised while it is held, and all that is worth it once the process has computed for a while', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--allow-natives-syntax',
      '--no-concurrent-recompilation',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
    ],
    { input: SCRIPT, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([true, false, true])
})
