/** Which piece of code has written the answer of an error: what stays of it once names, numbers, texts and places are taken out. */

import type { HttpExchange } from '../../../egress/door/egress.ts'
import { jsonOf } from '../../../page/json.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import { namesOf } from './leaves.ts'

/** Characters. */
const LONGEST = 300

/** Two answers of one handler give the same text. */
export const handlerOf = (exchange: HttpExchange): string => {
  const text = textOf(exchange)
  const type = mediaTypeOf(exchange) ?? ''
  return `${exchange.status} ${type} ${formOf(text, isHtml(mediaTypeOf(exchange), text))}`.trim().slice(0, LONGEST)
}

const formOf = (text: string, isPage: boolean): string => {
  const json = jsonOf(text)
  if (typeof json === 'object') return namesOf(json).toSorted().join(' ')
  if (isPage)
    return [...new Set([...text.matchAll(/<([a-z][a-z\d-]*)/gi)].map(([, tag = '']) => tag.toLowerCase()))].join(' ')
  return (text.split('\n')[0] ?? '').replace(VARIABLE, '*')
}

/** What is quoted, addresses and paths, words with digits in them. */
const VARIABLE = /"[^"]*"|'[^']*'|`[^`]*`|(?:https?:\/)?\/\S+|\S*\d\S*/g
