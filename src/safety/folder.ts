/** What stands in a folder that is called after a deed, and does not do it: `/install/readme.html`, `/setup/docs/database`. */
import { HANDBOOK, TEXT_FILE } from './deeds.ts'

/** Texts that come with a program, without their ending. */
const TELLS =
  /^(?:read[_-]?me|licen[cs]e|copying|authors|credits|requirements?|change-?log|changes|(?:release-?)?notes|about|upgrading)(?:[._-](?:[a-z]{2}|html?))?$/i
/** What pages show and load. */
const LOADED = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|map|woff2?|ttf)$/i
const ENDING = /\.\w{1,5}$/

/** `behind`: segments of a path that follow the folder, decoded. A number among them is what something is done to. */
export const tellsOfFolder = (behind: readonly string[]): boolean => {
  const last = behind.at(-1) ?? ''
  if (behind.some((segment) => /^\d+$/.test(segment))) return false
  return (
    TEXT_FILE.test(last) ||
    LOADED.test(last) ||
    TELLS.test(last.replace(ENDING, '')) ||
    behind.some((segment) => HANDBOOK.test(segment.replace(ENDING, '')))
  )
}
