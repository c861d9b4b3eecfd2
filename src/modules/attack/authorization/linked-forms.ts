/**
 * What forms send that only another identity is shown: the crawl goes as the first, and knows of none of them. What such a form would do is
 * judged as every other.
 */
import { type HtmlForm, type HtmlInput, readHtml } from '../../../page/html.ts'
import { shapeOf } from '../../../page/shape.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { aroundRun } from '../../../safety/around.ts'
import { buttonOf, effectOfForm } from '../../../safety/form-effect.ts'
import { decide } from '../../../safety/policy.ts'
import type { CollectContext } from '../../module.ts'
import type { Field, RequestTemplate } from '../crawl/facts.ts'
import type { Routed } from '../insertion-points/routed.ts'
import { type Operation, operationOf } from './operations.ts'
import { isGranted, type Party } from './parties.ts'

const MOST = 30
/** What a person would type. */
const TYPED = 'test'
const PRESSED: ReadonlySet<string> = new Set(['submit', 'image', 'button', 'reset'])

export const linkedForms = (
  ctx: CollectContext,
  identities: readonly Party[],
  operations: readonly Operation[],
  routed: Routed,
): readonly Operation[] => {
  const keyOf = ({ url, fields }: Pick<RequestTemplate, 'url' | 'fields'>): string =>
    JSON.stringify([shapeOf(url), ...routed(url), ...fields.map(({ name }) => name).toSorted()])
  const known = new Set(operations.flatMap(({ template }) => (template.method === 'GET' ? [] : [keyOf(template)])))
  const found = new Map<string, RequestTemplate>()
  for (const party of identities.slice(1)) {
    for (const { first } of party.own.values()) {
      if (!isGranted(first) || !isHtml(mediaTypeOf(first.exchange), first.text)) continue
      const page = first.exchange.request.url
      for (const form of readHtml(first.text, page).forms) {
        const template = templateOf(ctx, form, page)
        const key = template === null ? '' : keyOf(template)
        if (template !== null && !known.has(key) && !found.has(key) && found.size < MOST) found.set(key, template)
      }
    }
  }
  return [...found.values()].map((one) => operationOf(one, ctx.target.environment ?? 'production', routed))
}

/** Null where it is not posted to the site as fields alone, or may not be sent. */
const templateOf = (ctx: CollectContext, form: HtmlForm, page: string): RequestTemplate | null => {
  const { action, method, attributes, inputs } = form
  const url = URL.parse(action ?? '')
  if (url === null || url.origin !== new URL(page).origin || method !== 'post') return null
  if (attributes.enctype === 'multipart/form-data' || inputs.some(({ type }) => type === 'file')) return null
  url.hash = ''
  const button = buttonOf(form)
  const { harm, writes } = effectOfForm(form, button, page)
  const fields = fieldsOf(inputs, button)
  const asked = { method: 'POST', url: url.href, encoding: 'urlencoded', fields, body: null } as const
  const labels = button === null ? [] : [button.label]
  const around = aroundRun(ctx, { signedIn: true, staff: false, excludes: ctx.egress.excludes })
  const decision = decide({ ...asked, labels, told: harm, writes }, null, around)
  if (decision.send === 'never') return null
  return {
    ...{
      id: `POST ${url.href} linked`,
      shape: shapeOf(url.href),
      source: 'form',
      seenOn: [page],
      sent: false,
      harm: null,
    },
    ...{ ...asked, effect: 'unknown' },
    ...(decision.send === 'bounded' ? { bound: decision.most, boundBy: decision.reason } : {}),
  }
}

/** As a browser sends them, pressing one button; of a choice what is chosen, or its first. */
const fieldsOf = (inputs: readonly HtmlInput[], button: HtmlInput | null): readonly Field[] => {
  const fields = new Map<string, Field>()
  for (const { name, type, tag, value, options, checked } of inputs) {
    if (name === '' || PRESSED.has(type)) continue
    const isChoice = type === 'radio' || type === 'checkbox'
    if (isChoice && fields.has(name) && !checked) continue
    const chosen = tag === 'select' ? value || (options.find((one) => one !== '') ?? '') : value
    const filled = chosen === '' && !isChoice && type !== 'hidden' ? TYPED : chosen
    fields.set(name, { name, value: filled, type: type || tag })
  }
  if (button !== null && button.name !== '')
    fields.set(button.name, { name: button.name, value: button.value, type: 'submit' })
  return [...fields.values()]
}
