/** Words of addresses, names and labels, however they are written together. */
import { formDecoded } from '../page/percent.ts'

/** Longest text that is read for words. */
const MOST = 2_000

/** `deleteUser2`, `delete-user`, `DELETE_USER` and `delete%20user` are the words delete and user. Lower case. */
export const wordsOf = (text: string): readonly string[] =>
  formDecoded(text)
    .normalize('NFC')
    .slice(0, MOST)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** Names of parameters and fields whose value says what is to be done, or where a front controller leads. */
export const ROUTING =
  /^_?(?:action|act|do|op|cmd|command|task|method|operation|func|function|mode|event|cmdaction|page|p|path|r|route|q|m|view|module|controller|section|subaction|sub|step|what|exec|perform|request|tab)\d?$/i

/** More words than that are a title. */
const LONGEST_LABEL = 6
/** "Disable notifications for all services on this host": a title points at nothing on its page. */
const LONGEST_POINTING = 12
const POINTS: ReadonlySet<string> = new Set(
  'this these selected diese diesen dieser dieses diesem ausgewählte ausgewählten cet cette ces esta estos estas questo questa deze'.split(
    ' ',
  ),
)

/** Whether a label is a title, by how long it is. */
export const isTitle = (words: readonly string[]): boolean =>
  words.length > (words.some((word) => POINTS.has(word)) ? LONGEST_POINTING : LONGEST_LABEL)
