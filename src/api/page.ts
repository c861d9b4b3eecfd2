import { z } from 'zod'

/** One page from one row more than asked for: the extra row says that another page exists. */
export const pageOf = <Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): { readonly items: Item[]; readonly next_cursor: string | null } => {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next_cursor: found.length > limit && last !== undefined ? cursorOf(last) : null }
}

/** Position in a list that goes by creation time. */
export const byTime = z.strictObject({ createdAt: z.coerce.date(), id: z.string() })
