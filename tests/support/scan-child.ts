/** The scan child as the service starts it: built where this machine can build it. */
import { fileURLToPath } from 'node:url'
import { builtScan } from '../../src/main/built-scan.ts'

const built = await builtScan((reason) => console.error(reason)).scan()

/** Path of its file. */
export const SCAN_CHILD = fileURLToPath(built ?? new URL('../../src/engine/run-scan.ts', import.meta.url))
