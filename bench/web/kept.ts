/**
 * What a peer said of single pages, in `bench/results/web-NAME.jsonl`: over all pages it takes hours, so it may be asked
 * about some of them at a time, and each page is kept as soon as it is done.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import type { Entry } from '../../testbed/web/site/plan.ts'
import type { Scores } from './scores.ts'

const PeerPage = z.object({
  id: z.string(),
  /** What it said rightly of the careless page. */
  found: z.array(z.string()),
  /** What it said of either twin that is not so. */
  wrong: z.array(z.string()),
  requests: z.object({ careless: z.number(), careful: z.number() }),
  /** Milliseconds for both twins; of a batch its share. */
  ms: z.number(),
  /** Ended by our clock before it was done: it may have found more, and would have asked more. */
  cut: z.boolean(),
})
export type PeerPage = z.infer<typeof PeerPage>

const FOLDER = new URL('../results/', import.meta.url)
const fileOf = (peer: string): URL => new URL(`web-${peer}.jsonl`, FOLDER)

export const keptPages = (peer: string): readonly PeerPage[] => {
  if (!existsSync(fileOf(peer))) return []
  const lines = readFileSync(fileOf(peer), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => PeerPage.parse(JSON.parse(line)))
}

export const keepPages = (peer: string, pages: readonly PeerPage[]): void => {
  mkdirSync(FOLDER, { recursive: true })
  appendFileSync(fileOf(peer), pages.map((page) => `${JSON.stringify(page)}\n`).join(''))
}

export const forgetPages = (peer: string): void => rmSync(fileOf(peer), { force: true })

export const scoresOfKept = (entries: readonly Entry[], kept: readonly PeerPage[]): Scores => {
  const pages = kept.filter(({ id }) => entries.some((one) => one.case.id === id))
  return {
    found: new Map(pages.filter(({ found }) => found.length > 0).map(({ id, found }) => [id, found])),
    wrong: pages.flatMap(({ wrong }) => wrong),
    counts: new Map(
      pages.flatMap(({ id, requests }) => [
        [`careless/${id}`, requests.careless],
        [`careful/${id}`, requests.careful],
      ]),
    ),
    ms: pages.reduce((sum, { ms }) => sum + ms, 0),
  }
}
