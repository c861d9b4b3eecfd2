/** Filter lists in the syntax of ad blockers (https://help.adblockplus.org/hc/en-us/articles/360062733293), one rule a line. */
import { FeedError } from '../feed.ts'

const LONGEST_RULE = 8_192

/** @returns the rules of the list. @throws FeedError where it is text of another kind */
export const checkFilterList = (text: string, file: string): number => {
  let rules = 0
  for (const [index, line] of text.split('\n').entries()) {
    const rule = line.trim()
    const where = `line ${index + 1}`
    if (rule.includes('\0')) throw new FeedError(file, where, 'it is no text')
    if (rule.length > LONGEST_RULE) throw new FeedError(file, where, `a rule of ${rule.length} characters`)
    // An answer of a server that has no list is most often a page.
    if (/^<(?:!doctype|html|head|body)\b/i.test(rule)) throw new FeedError(file, where, 'it is a page, not a list')
    if (rule !== '' && !rule.startsWith('!') && !/^\[[^\]]*\]$/.test(rule)) rules += 1
  }
  if (rules === 0) throw new FeedError(file, null, 'it holds no rule')
  return rules
}
