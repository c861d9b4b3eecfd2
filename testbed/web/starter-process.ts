/** Body of the small process of starter.ts. Ends with the one that started it. */
import { execFile } from 'node:child_process'
import type { Ended, Start } from './starter.ts'

process.once('disconnect', () => process.exit(0))
process.on('message', ({ id, file, args, options }: Start) => {
  const answer = (ended: Omit<Ended, 'id'>): void => {
    if (process.connected) process.send?.({ id, ...ended } satisfies Ended)
  }
  try {
    execFile(file, args, options, (error, stdout, stderr) => answer({ ok: error === null, stdout, stderr }))
  } catch (error) {
    // A value that no program can be given, such as one with a zero byte.
    answer({ ok: false, stdout: '', stderr: error instanceof Error ? error.message : String(error) })
  }
})
