/** Operations that ask for a sign-in by their description, asked by nobody. */
import { createHash } from 'node:crypto'
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { jsonOf } from '../../../../page/json.ts'
import { mediaTypeOf, textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, Left, type Topic } from '../asking.ts'
import type { OpenHit } from '../facts.ts'
import { dataOf, isDenial } from '../leaves.ts'
import { asked, type Target, whereOf } from '../operations.ts'
import { shownOf } from '../showing.ts'

export const openWork =
  (ctx: CollectContext): Topic<Target, OpenHit>['work'] =>
  async ({ request }, found) => {
    const own = asked(request, { authenticated: false })
    const names = await dataAt(ctx, own, request)
    if (names === null) return
    // What is said to everybody is less than what is said to who may know.
    const ours = ctx.hasCredentials ? await dataAt(ctx, asked(request), request) : names
    const again = await dataAt(ctx, own, request)
    if (again === null || ours === null || ours.names.some((name) => !names.names.includes(name))) return
    if (ours.file !== names.file || again.file !== names.file)
      throw new Left('that hand nobody a file, another one each time or for the account')
    found({
      ...{ kind: 'open', ...whereOf(request), status: again.status },
      ...{
        names: again.names.slice(0, 20),
        plain: again.plain,
        excerpt: again.excerpt,
        mark: again.mark,
        replay: curlOf(own),
      },
    })
  }

interface Data {
  readonly status: number
  readonly names: readonly string[]
  /** Digest of a file; null of JSON, whose values may differ. */
  readonly file: string | null
  readonly plain: boolean
  readonly excerpt: string
  readonly mark: string
}

/** Null where it is refused, or says nothing but how it went. */
const dataAt = async (
  ctx: CollectContext,
  request: ReturnType<typeof asked>,
  of: RequestTemplate,
): Promise<Data | null> => {
  const answer = await ask(ctx, request, of)
  const text = textOf(answer)
  if (answer.status < 200 || answer.status >= 300 || isDenial(answer.status, text)) return null
  const document = jsonOf(text)
  if (document === undefined) return fileIn(answer, request)
  const data = dataOf(document)
  const names = [...new Set(data.map(({ pointer }) => pointer))]
  if (names.length === 0) return null
  const plain = data.length <= MOST_PLAIN && !Array.isArray(document) && data.every(({ value }) => isPlain(value))
  const mark = `HTTP status ${answer.status}`
  return { status: answer.status, names, file: null, plain, excerpt: shownOf(request, mark, document), mark }
}

/** What is handed out to be kept. A page may ask for the sign-in, whatever its status; pictures, styles and scripts are parts of pages. */
const HANDED_OUT =
  /^(?:text\/(?:csv|tab-separated-values|calendar|vcard)|application\/(?:pdf|zip|gzip|octet-stream|msword|rtf|vnd\.(?:ms-|openxml|oasis)[\w.+-]+))$/
const SHORTEST_FILE = 16

const fileIn = (answer: HttpExchange, request: ReturnType<typeof asked>): Data | null => {
  const type = mediaTypeOf(answer)
  if (!HANDED_OUT.test(type) || answer.body.length < SHORTEST_FILE) return null
  const mark = `HTTP status ${answer.status}, ${type}, ${answer.body.length} bytes`
  const file = createHash('sha256').update(answer.body).digest('hex')
  return {
    ...{ status: answer.status, names: [`a file (${type})`], file, plain: false },
    ...{ excerpt: shownOf(request, mark, null), mark },
  }
}

/** Leaves of an answer that only says how a service is. */
const MOST_PLAIN = 6

const STATES =
  /^(?:ok|okay|good|fine|up|down|alive|live|ready|running|online|offline|available|healthy|unhealthy|pass|passing|fail|warn|degraded|green|yellow|red|enabled|disabled)$/i
const VERSION = /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.+-]{1,20})?$/i

/** A word for a state, a switch, a version: nobody's data. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && (STATES.test(value) || VERSION.test(value)))
