/** What people read of an answer, as text for those who look for what it tells of: lines kept, scripts and comments gone. */
import { withoutEntities } from '../../../page/entities.ts'
import { withoutCode } from '../../../page/visible.ts'

/** Characters that are read of one answer. */
export const MAX_TEXT = 200_000
const BLOCKS = /<\/?(?:br|li|tr|p|div|h\d|dt|dd|pre|ul|ol|table|section|article)\b[^>]*>/gi
const TAGS = /<\/?[a-z][^<>]*>/gi
/** What sets a name apart from the words around it. */
const MARKS = /<\/?(?:b|strong|i|em|code|kbd|samp|var|tt|q|mark)(?:\s[^<>]{0,200})?>/gi

/** `markup`: as it came, of any media type. */
export const plainOf = (markup: string, type: string): string => {
  const text = markup.slice(0, MAX_TEXT)
  return /html/.test(type) ? withoutMarkup(withoutCode(text)) : text
}

/** Likewise with what its comments say, and a backquote for each sign of markup that sets words apart. */
export const markedOf = (markup: string, type: string): string => {
  const text = markup.slice(0, MAX_TEXT)
  if (!/html/.test(type)) return text
  return withoutMarkup([withoutCode(text), ...commentsIn(text)].join('\n').replace(MARKS, '`'))
}

const withoutMarkup = (text: string): string => withoutEntities(text.replace(BLOCKS, '\n').replace(TAGS, ' '))

const LONGEST_COMMENT = 5_000
const MOST_COMMENTS = 50

const commentsIn = (text: string): readonly string[] =>
  text
    .split('<!--')
    .slice(1, 1 + MOST_COMMENTS)
    .map((part) => part.split('-->', 1)[0]?.slice(0, LONGEST_COMMENT) ?? '')
