/** FIRST's scores: https://www.first.org/epss/data_stats. A comment line, a head, then `cve,epss,percentile`. */
import { FeedError } from '../feed.ts'
import type { Item, OpenFeed } from '../items.ts'

export interface Epss {
  readonly score: number
  readonly percentile: number
}

export function* parseEpss(text: string, file: string): Generator<Item> {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => line.startsWith('cve,'))
  if (head < 0 || !/^cve,epss,percentile\r?$/.test(lines[head] ?? '')) {
    throw new FeedError(file, null, 'the head “cve,epss,percentile” is missing')
  }
  for (const [index, line] of lines.slice(head + 1).entries()) {
    if (line.trim() === '') continue
    const [id = '', score = '', percentile = ''] = line.trim().split(',')
    const value: Epss = { score: Number(score), percentile: Number(percentile) }
    const right = [score, percentile].every((one) => /^[01](?:\.\d+)?(?:e-\d+)?$/.test(one) && Number(one) <= 1)
    if (!/^CVE-\d{4}-\d{4,}$/.test(id) || !right) {
      throw new FeedError(file, `line ${head + 2 + index}`, `“${line.slice(0, 80)}” is no score`)
    }
    yield { key: id, value }
  }
}

export const epssOf = (feed: OpenFeed, id: string): Epss | null => feed.get(id) as Epss | null
