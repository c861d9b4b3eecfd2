/** Sites that one document draws. */
import { likeness } from '../../../page/similarity.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { readPage } from './pages.ts'

/** A guess whose answer is this much like that to a random path has found nothing. */
export const MISSING = 0.95

/**
 * Whether what is not there is answered with the start page, whose scripts draw what its address says. Many servers refuse names with an ending all the
 * same: a file that is not there is no view.
 */
export const isShell = ({ pages, missing }: SiteFacts): boolean => {
  const [start] = pages
  if (start === undefined || !readPage(start.body, start.url).interactive) return false
  const drawn = missing.filter(({ status, body }) => status === start.status && likeness(body, start.body) >= MISSING)
  const others = missing.filter((page) => !drawn.includes(page))
  return drawn.length > 0 && others.every(({ url, status }) => status >= 400 && hasEnding(url))
}

const hasEnding = (url: string): boolean => /\.\w+$/.test(new URL(url).pathname)
