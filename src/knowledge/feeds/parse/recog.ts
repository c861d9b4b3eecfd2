/** Recog's XML files (https://github.com/rapid7/recog), checked before they are kept. */
import { parseRecog } from '../../recog/rules.ts'
import { FeedError } from '../feed.ts'

/** @returns the rules of the file. @throws FeedError */
export const checkRecog = (text: string, file: string): number => {
  try {
    return parseRecog(text).rules.length
  } catch (cause) {
    throw new FeedError(file, null, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
