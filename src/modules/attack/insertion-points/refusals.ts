/** What keeps probes away from a place: a firewall or a limit in front, or an application that refuses single signs. */
import { type BlockPage, isBlockPage } from '../../../page/block-page.ts'
import type { ProbePoint } from './inventory.ts'
import type { Reply } from './prober.ts'
import { WORD } from './word.ts'

export interface Refusals {
  /** Whether something in front answered in place of the application. */
  readonly isRefusal: (point: ProbePoint, reply: Reply) => Promise<boolean>
  /**
   * Of what was refused there, the signs that are refused by themselves, behind a value that means nothing. None where that value
   * is refused as well, or no single sign is: then somebody looks for more than a sign.
   */
  readonly signsIn: (point: ProbePoint, text: string) => Promise<ReadonlySet<string>>
}

interface RefusalParts {
  /** What the site's firewall answers. */
  readonly blockPage: BlockPage | null
  readonly usualOf: (point: ProbePoint) => Promise<Reply>
  /** The request as it is, asked again. */
  readonly plain: (point: ProbePoint) => Promise<Reply>
  /** The answer to another value, asked for once; null where the place cannot hold it. */
  readonly other: (point: ProbePoint, value: string) => Promise<Reply | null>
  /** A value of the same kind that means nothing. */
  readonly meaningless: (value: string) => string
}

const BLOCKING: ReadonlySet<number> = new Set([403, 406, 419, 429, 493, 501, 503, 999])
/** Of them, what an application itself answers to a value that it does not know: a token, the name of a page. */
const OWN: ReadonlySet<number> = new Set([403, 406, 419, 493, 501])
/** Signs that are asked one by one. */
const MOST_SIGNS = 12

export const createRefusals = ({ blockPage, usualOf, plain, other, meaningless }: RefusalParts): Refusals => {
  const isPage = ({ status, text }: Reply): boolean =>
    isBlockPage(blockPage, { status: status === 0 ? null : status, text })
  const refuses = (reply: Reply): boolean => BLOCKING.has(reply.status) || isPage(reply)

  /** A value that means nothing is refused as well, and the request as it still is not: nobody looked for an attack. */
  const refusesAny = async (point: ProbePoint, probed: Reply, usual: Reply): Promise<boolean> => {
    if (!OWN.has(probed.status)) return false
    const value = meaningless(point.value)
    const harmless = [
      value,
      // What stands behind a dot at the end of a path asks for a form of the answer that the application may not have.
      ...(point.place === 'path' ? [`${value}.qzv`] : []),
      // Values that hold its own may be what it takes: one that looks for partners' addresses takes no other.
      ...(probed.value.includes(point.value) ? [] : [unrelatedTo(point.value)]),
    ]
    for (const one of harmless)
      if ((await other(point, one))?.status === probed.status) return (await plain(point)).status === usual.status
    return false
  }

  return {
    isRefusal: async (point, reply) => {
      if (!refuses(reply)) return false
      const usual = await usualOf(point)
      // What answers so by itself has not refused the probe.
      if (reply.status === usual.status && refuses(usual)) return false
      if (isPage(reply)) return true
      return !(await refusesAny(point, reply, usual))
    },
    signsIn: async (point, text) => {
      const refused = new Set<string>()
      const value = meaningless(point.value)
      const harmless = await other(point, value)
      if (harmless === null || refuses(harmless)) return refused
      const signs = [...new Set(text)].filter((sign) => /[^\p{L}\p{N}\s]/u.test(sign)).slice(0, MOST_SIGNS)
      for (const sign of signs) {
        const reply = await other(point, `${value}${sign}`)
        if (reply !== null && refuses(reply)) refused.add(sign)
      }
      return refused
    },
  }
}

/** Of the same kind, with nothing of the value in it. */
const unrelatedTo = (value: string): string => (/^https?:\/\//i.test(value) ? `https://${WORD}.example/` : WORD)
