/** Pictures of covers: one is made at a time, and each is kept while its organisation looks at it again and again. */
import { createHash } from 'node:crypto'
import { ProblemError } from '../contract/problem.ts'
import { logoFile, WATERMARK } from './report-writer.ts'
import { VERSION } from './version.ts'

/** Pictures kept; each has about 100 kB. */
const KEPT = 20
/** That may wait at once: each takes seconds of a core. */
const WAITING = 5

export interface CoverRequest {
  readonly organisation: string
  readonly logo: Buffer | null
  readonly watermark: boolean
}

/** @throws {ProblemError} `unavailable` with the reason in words. */
export type CoverMaker = (request: CoverRequest) => Promise<Buffer>

export const createCoverMaker = (draw: CoverMaker = drawCover): CoverMaker => {
  const kept = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  const make = async (request: CoverRequest): Promise<Buffer> => {
    if (waiting >= WAITING) {
      const headers = { 'Retry-After': '10' }
      throw new ProblemError('unavailable', 'Other covers are being made. Try again shortly.', { headers })
    }
    waiting += 1
    const mine = last.then(
      () => draw(request),
      () => draw(request),
    )
    last = mine
    try {
      return await mine
    } finally {
      waiting -= 1
    }
  }

  return (request) => {
    const key = keyOf(request)
    const known = kept.get(key)
    if (known) return known
    const made = make(request)
    kept.set(key, made)
    // Not kept: what failed may succeed next time.
    made.catch(() => kept.delete(key))
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest)
    return made
  }
}

const keyOf = ({ organisation, logo, watermark }: CoverRequest): string => {
  const hash = createHash('sha256').update(JSON.stringify([organisation, watermark, logo === null]))
  return (logo === null ? hash : hash.update(logo)).digest('hex')
}

const drawCover: CoverMaker = async ({ organisation, logo, watermark }) => {
  // What typesets is seldom needed by a process that serves.
  const [{ coverPicture }, { PdfError }] = [
    await import('../report/cover-preview.ts'),
    await import('../report/pdf/errors.ts'),
  ]
  try {
    return await coverPicture({
      organisation,
      logo: logo === null ? null : logoFile(logo),
      watermark: watermark ? WATERMARK : null,
      scanner: `Sonde ${VERSION}`,
      date: new Date(),
    })
  } catch (error) {
    if (error instanceof PdfError) throw new ProblemError('unavailable', error.message, { cause: error })
    throw error
  }
}
