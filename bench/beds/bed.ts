/** A bed: an application that others wrote, running on loopback, with what is known to be wrong with it. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Proof, RequestSignIn } from '../../src/contract/sign-in.ts'
import { CLASSES } from './classes.ts'

const Case = z.strictObject({
  id: z.string().min(1),
  class: z.enum(Object.keys(CLASSES) as [string, ...string[]]),
  /** Part of the table beside the class, e.g. the folder. */
  group: z.string().optional(),
  method: z.string().default('GET'),
  /** With the query that routes to the page where a front controller does. */
  path: z.string().startsWith('/'),
  /** As a finding names it; absent where any place of the page will do. */
  parameter: z.string().optional(),
  vulnerable: z.boolean(),
  /** Why it cannot be exploited here: not counted. */
  void: z.string().optional(),
})
export type BedCase = z.infer<typeof Case>

const Bed = z.strictObject({
  name: z.string().min(1),
  /** Scheme, host name and port; the crawl begins at its root. */
  start: z.url(),
  /** Loopback address that the host name stands for. */
  address: z.string(),
  environment: z.enum(['production', 'test']).default('test'),
  cookie: z.string().nullable().default(null),
  /** One header line, "Name: value". */
  header: z.string().nullable().default(null),
  /** How the run becomes somebody by itself, and by what that is known. */
  sign_in: z.strictObject({ request: RequestSignIn, proof: Proof }).nullable().default(null),
  exclude: z.array(z.string()).default([]),
  /** In which runs it is scanned when the scores are made anew: the cases whose class, id or path holds a text, by these modules. */
  parts: z
    .array(z.strictObject({ only: z.string().optional(), modules: z.string().default('all') }))
    .min(1)
    .optional(),
  cases: z.array(Case).min(1),
})
export type Bed = z.infer<typeof Bed>

/** @throws where the file is none or not a bed */
export const readBed = (file: string): Bed => Bed.parse(JSON.parse(readFileSync(file, 'utf8')))

/** A run of the product takes no more patterns than this. */
const MOST_PATTERNS = 100

/**
 * The bed with those cases alone whose id, class or path holds the text, and patterns that keep a run away from the highest
 * folders without any of them. Pages that are no case stay in reach.
 */
export const partOf = (bed: Bed, text: string): Bed => {
  const chosen = bed.cases.filter((one) => `${one.class} ${one.id} ${one.path}`.includes(text))
  if (chosen.length === 0) throw new Error(`no case of ${bed.name} holds "${text}"`)
  const kept = new Set(chosen.flatMap(({ path }) => foldersOf(path)))
  const away = bed.cases.flatMap(({ path }) => foldersOf(path).find((folder) => !kept.has(folder)) ?? [])
  const exclude = [...bed.exclude, ...new Set(away)].slice(0, MOST_PATTERNS)
  return { ...bed, exclude, cases: chosen }
}

/** From the highest folder to the page itself, and its query. */
const foldersOf = (path: string): readonly string[] => {
  const [plain = '', query] = path.split(/\?(.*)/s)
  const parts = plain.split('/').slice(1)
  const folders = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
  return query ? [...folders, path] : folders
}
