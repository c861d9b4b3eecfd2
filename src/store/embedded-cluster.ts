/**
 * A program: makes the cluster of a new data folder, of the name that it is started with, and ends. See new-cluster.ts. Why it could not is
 * the last line that it writes.
 */
import { openEngine } from './embedded-engine.ts'
import { whyStopped } from './embedded-protocol.ts'

const folder = String(process.argv[2])

// Who started it is gone: nobody waits for the cluster.
process.stdin.on('end', () => process.exit(1)).resume()

try {
  const engine = await openEngine(folder)
  await engine.close()
  process.exit(0)
} catch (cause) {
  process.stderr.write(`\n${whyStopped(cause, folder)}`, () => process.exit(1))
}
