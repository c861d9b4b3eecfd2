/**
 * Products whose own fixed files tell whether they are there. Where none of them is, and the fingerprints have not seen the
 * product either, its templates have nothing to find: a thousand requests for WordPress are not sent to a Java shop.
 */
import { EgressError } from '../../egress/door/egress.ts'
import type { Template } from '../language/template.ts'
import type { TemplateTarget } from './executor.ts'
import { type HttpClient, isFinal, type Reply } from './http/client.ts'
import type { HttpSpec } from './http/request.ts'

interface Gate {
  readonly tag: string
  /** Paths that belong to the product alone and answer with something other than "not found". */
  readonly files: readonly string[]
}

/** From the products' own public source trees. */
const GATES: readonly Gate[] = [
  { tag: 'wordpress', files: ['/wp-login.php', '/wp-includes/js/wp-embed.min.js', '/wp-content/'] },
  { tag: 'joomla', files: ['/administrator/', '/media/system/js/core.js', '/components/'] },
  { tag: 'drupal', files: ['/core/misc/drupal.js', '/misc/drupal.js', '/user/login'] },
  { tag: 'magento', files: ['/static/version/', '/skin/frontend/', '/customer/account/login/'] },
  { tag: 'aem', files: ['/libs/granite/core/content/login.html', '/etc.clientlibs/', '/system/console'] },
  { tag: 'sap', files: ['/sap/public/info', '/sap/bc/', '/irj/portal'] },
  { tag: 'prestashop', files: ['/modules/', '/js/jquery/plugins/', '/themes/core.js'] },
]

/** Fewer templates than this are cheaper to run than to gate. */
const WORTH = 12

/** Tags of products that are not there. @throws EgressError only `aborted` and `budget` */
export const absentProducts = async (
  templates: readonly Template[],
  detected: (tag: string) => boolean,
  target: TemplateTarget,
  client: HttpClient,
  missing: readonly Reply[],
): Promise<ReadonlySet<string>> => {
  const absent = new Set<string>()
  if (missing.length === 0) return absent
  for (const { tag, files } of GATES) {
    if (detected(tag) || templates.filter(({ info }) => info.tags.includes(tag)).length < WORTH) continue
    const replies = await Promise.all(files.map((file) => client.send(specOf(file, target)).catch(unanswered)))
    if (replies.every((reply) => reply !== null && isMissing(reply, missing))) absent.add(tag)
  }
  return absent
}

const unanswered = (error: unknown): null => {
  if (!(error instanceof EgressError) || isFinal(error)) throw error
  return null
}

export const specOf = (path: string, target: TemplateTarget): HttpSpec => ({
  method: 'GET',
  origin: target.variables.get('RootURL') ?? target.base,
  target: path,
  headers: [],
  body: null,
  verbatim: null,
  timeout: null,
  serverName: null,
})

/** As the site answers what cannot be there: the same status, and a body of about the same length. */
export const isMissing = (reply: Reply, missing: readonly Reply[]): boolean =>
  missing.some(
    (one) =>
      one.status === reply.status &&
      (reply.status === 404 ||
        reply.status === 410 ||
        one.body === reply.body ||
        Math.abs(one.body.bytes.length - reply.body.bytes.length) <= 64 + one.body.bytes.length * 0.02),
  )
