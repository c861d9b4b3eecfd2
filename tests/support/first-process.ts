/** Started by tests/setup-first-process.test.ts below the first process of a namespace. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

if (process.argv[2] === 'orphan') {
  const typed = await text(process.stdin)
  const parent = spawn('sh', ['-c', 'true & echo $!'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const orphan = Number(await text(parent.stdout))
  const until = Date.now() + 20_000
  // A zombie can still be asked for.
  while (isThere(orphan) && Date.now() < until) await wait(20)
  process.stdout.write(`${typed}, ${isThere(orphan) ? 'a zombie' : 'gone'}\n`)
} else {
  const told = once(process, 'SIGTERM')
  const alive = setInterval(() => undefined, 1_000)
  process.kill(process.ppid, 'SIGTERM')
  await told
  clearInterval(alive)
  process.stdout.write('told\n')
  process.exitCode = 7
}
