/** Operations that ask for a sign-in by their description, asked by nobody. */
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, type Topic } from '../asking.ts'
import type { OpenHit } from '../facts.ts'
import { dataOf, isDenial, jsonOf } from '../leaves.ts'
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
    found({
      ...{ kind: 'open', ...whereOf(request), status: again.status },
      ...{ names: again.names.slice(0, 20), excerpt: again.excerpt, mark: again.mark, replay: curlOf(own) },
    })
  }

interface Data {
  readonly status: number
  readonly names: readonly string[]
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
  const names = [...new Set(dataOf(document).map(({ pointer }) => pointer))]
  if (names.length === 0) return null
  const mark = `HTTP status ${answer.status}`
  return { status: answer.status, names, excerpt: shownOf(request, mark, document), mark }
}
