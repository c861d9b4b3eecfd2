/** What a scan and everything that it started have taken of the machine's memory. */
import { readFileSync } from 'node:fs'

/** Of the kernel, everywhere that Node runs on Linux for x64 and arm64. */
const PAGE = 4_096

/**
 * Bytes of a process and its descendants that are nobody else's: what their code shares counts for none. 0 where it has ended, and
 * where the system has no such figures.
 */
export const memoryOf = (pid: number): number => {
  const [, resident = 0, shared = 0] = (textOf(`/proc/${pid}/statm`) ?? '').split(' ').map(Number)
  const children = (textOf(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter((one) => one !== '')
  return (resident - shared) * PAGE + children.reduce((sum, child) => sum + memoryOf(Number(child)), 0)
}

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // It has ended meanwhile, or this is no Linux.
  }
}
