/**
 * Questions behind the run's own name and password. A sign-in looks somebody up first and reads the rest only where there is one, so that a made-up
 * name reaches half of it; and only a right password shows what a condition behind it changes.
 */
import { randomInt } from 'node:crypto'
import type { CollectContext, SignInLeading } from '../../module.ts'
import { type ProbePoint, slotOf } from './inventory.ts'

/** How conditions of one language go behind a value. */
export interface Behind {
  readonly name: string
  readonly with: (question: string) => string
  readonly ask: (truth: boolean, turn: number) => string
  /** No condition, in the shape of one. */
  readonly malformed: string
  /** The question is an object, in JSON, that stands in place of the value. */
  readonly instead?: true
}

export interface SignInAnswers {
  readonly trials: readonly { readonly question: string; readonly truth: boolean; readonly answer: 'true' | 'false' }[]
  readonly malformed: 'true' | 'false'
  /** Texts that were put behind the value: one that was taken, and one that was not. */
  readonly taken: string
  readonly refused: string
  readonly replay: string
}

/** The points of the crawl at which the run signs in, by the fields that it fills there. None in production, and none where it signs in otherwise. */
export const ownSignInPoints = (
  { session, target }: Pick<CollectContext, 'session' | 'target'>,
  points: readonly ProbePoint[],
): readonly ProbePoint[] => {
  const leading = session?.leading
  if (leading === undefined || target.environment !== 'test') return []
  const own = points.filter(
    ({ request, place, within }) =>
      request.method !== 'GET' &&
      ['form', 'json'].includes(place) &&
      within === undefined &&
      leading.paths.has(new URL(request.url).pathname),
  )
  const at = own.filter(({ name }) => leading.fields.includes(fieldOf(name)))
  // One program may answer for all: its form for new accounts is asked for at the same path, and has the same fields.
  const form = session?.form?.url
  const rankOf = ({ request: { url, signsIn } }: ProbePoint): number =>
    (form !== undefined && addressOf(form) === addressOf(url) ? 0 : 2) + (signsIn ? 0 : 1)
  return [...Map.groupBy(at, slotOf).values()].flatMap(
    (some) => some.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? [],
  )
}

/** Without the host. */
const addressOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/**
 * Null where what is true is refused, or what is false is taken: most often after one sign-in. Behind each that is refused a right one follows, so
 * that no two in a row are counted against the account.
 */
export const askAtSignIn = async (
  leading: SignInLeading,
  point: ProbePoint,
  { with: put, ask, malformed, instead }: Behind,
  trials: number,
): Promise<SignInAnswers | null> => {
  const field = fieldOf(point.name)
  const answerTo = async (question: string): Promise<'true' | 'false'> => {
    const isTaken = instead
      ? await leading.instead(field, JSON.parse(put(question)) as Parameters<SignInLeading['instead']>[1])
      : await leading.behind(field, put(question))
    if (isTaken) return 'true'
    await leading.behind(field, '')
    return 'false'
  }
  const [yes, no] = [ask(true, 0), ask(false, 0)]
  if ((await answerTo(yes)) !== 'true' || (await answerTo(no)) !== 'false') return null
  const order = Array.from({ length: trials }, (_, index) => ({
    ...{ truth: index % 2 === 0, turn: index >> 1, at: randomInt(1_000_000) },
  })).toSorted((a, b) => a.at - b.at)
  const said: SignInAnswers['trials'][number][] = []
  for (const { truth, turn } of order) {
    const question = ask(truth, turn)
    const answer = await answerTo(question)
    said.push({ question, truth, answer })
    if (answer !== String(truth)) return null
  }
  const line = (question: string): string =>
    `# sign in at ${point.request.url} with this ${instead ? 'in place of' : 'behind'} your own ${field}: ${put(question)}`
  return {
    ...{ trials: said, malformed: await answerTo(malformed), taken: put(yes), refused: put(no) },
    replay: `${line(yes)}\n${line(no)}`,
  }
}

const fieldOf = (name: string): string => name.replace(/^\//, '')
