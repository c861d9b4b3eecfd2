/** Which error page answered: a debugger or an error handler is one piece of code, whatever upset it and wherever. */
import { createHash } from 'node:crypto'
import type { Reply } from './prober.ts'

/** So many names of classes and ids tell one page's code from another's; a bare message could be anybody's. */
const FEWEST = 8
const MOST = 200_000

/** Equal for answers to what is missing by one page, whatever address it repeats; null for all other answers. */
export const missingPageOf = ({ status, text, value }: Pick<Reply, 'status' | 'text' | 'value'>): string | null => {
  if (status !== 404 && status !== 410) return null
  const plain = text.slice(0, MOST).replaceAll(value, '')
  const tags = [...plain.matchAll(/<\/?[a-z][\w-]*/gi)].map(([tag]) => tag.toLowerCase())
  const title = /<title[^>]*>([^<]{0,200})/i.exec(plain)?.[1] ?? ''
  return createHash('sha256')
    .update(`missing ${title} ${tags.join(' ')}`)
    .digest('hex')
    .slice(0, 16)
}

/** Equal for answers of one error handler; null for what is no error page, or too plain to be told from others. */
export const handlerOf = ({ status, text }: Pick<Reply, 'status' | 'text'>): string | null => {
  if (status < 500) return null
  const names = new Set(
    [...text.slice(0, MOST).matchAll(/<[a-z][\w-]*\b[^<>]*?\s(?:class|id)\s*=\s*["']?([^"'<>]{1,200})/gi)].flatMap(
      (match) => (match[1] ?? '').split(/\s+/).filter((name) => /^[a-z][a-z_-]*$/i.test(name)),
    ),
  )
  if (names.size < FEWEST) return null
  return createHash('sha256')
    .update([...names].toSorted().join(' '))
    .digest('hex')
    .slice(0, 16)
}
