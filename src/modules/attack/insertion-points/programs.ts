/** Which requests one program answers, and which cookies are those of few. */
import { queryRouteOf } from '../../../page/segments.ts'
import type { RequestTemplate } from '../crawl/facts.ts'

/** What is guessed of a request is guessed of so many that one program answers, whatever else they ask it for. */
const OF_A_PROGRAM = 2

export const ofEachProgram = (requests: readonly RequestTemplate[]): readonly RequestTemplate[] => {
  const seen = new Map<string, number>()
  return requests.filter((request) => {
    const program = programOf(request)
    const before = seen.get(program) ?? 0
    seen.set(program, before + 1)
    return before < OF_A_PROGRAM
  })
}

/** Of the shape the path, where a route in the query begins, and what chooses the program: of other parameters it has the names alone. */
export const programOf = ({ method, shape }: RequestTemplate): string => {
  const [path = '', query = ''] = shape.split(/\?(.*)/s)
  const chosen = query.split('&').filter((part) => part.includes('='))
  const [begins = ''] = queryRouteOf(shape)?.replace(/^\//, '').split('/') ?? []
  return [method, path, begins, ...chosen].join(' ')
}

/** Cookies that are sent to an address, those of the longest path first. */
export type CookiesAt = (
  url: string,
) => readonly { readonly name: string; readonly value: string; readonly byScript?: true; readonly own?: true }[]

/** A cookie that so few programs get belongs to them as their own parameters do. */
const FEW_PROGRAMS = 6

export const fewOf = (programs: readonly RequestTemplate[], at: CookiesAt): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const { url } of programs) for (const { name } of at(url)) counts.set(name, (counts.get(name) ?? 0) + 1)
  // Of a site of few pages every cookie belongs to few.
  return new Set(
    programs.length > FEW_PROGRAMS ? [...counts].flatMap(([name, count]) => (count <= FEW_PROGRAMS ? [name] : [])) : [],
  )
}
