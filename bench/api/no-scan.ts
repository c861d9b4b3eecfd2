/** A scan child that ends at once. */
import type { FromChild } from '../../src/engine/protocol.ts'

const end: FromChild = {
  type: 'ended',
  result: 'failed',
  error: { kind: 'target_refused', detail: 'Nothing is scanned' },
}
process.once('message', () => process.send?.(end, undefined, {}, () => process.exit(0)))
