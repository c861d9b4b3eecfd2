/** A recording of Chrome DevTools as steps of ours: https://developer.chrome.com/docs/devtools/recorder/reference. */
import { z } from 'zod'
import type { SignInStep } from '../contract/sign-in.ts'

const Recorded = z.looseObject({
  type: z.string(),
  url: z.string().optional(),
  value: z.string().optional(),
  key: z.string().optional(),
  selectors: z.array(z.union([z.string(), z.array(z.string())])).optional(),
  timeout: z.number().optional(),
})
const Recording = z.looseObject({ title: z.string().optional(), steps: z.array(Recorded) })

/** Pictures, sizes and the up of each key say nothing of a sign-in. */
const IGNORED: ReadonlySet<string> = new Set([
  'setViewport',
  'emulateNetworkConditions',
  'keyUp',
  'scroll',
  'hover',
  'close',
])

export interface ReadRecording {
  readonly steps: readonly SignInStep[]
  /** Types of steps that stand for nothing here. */
  readonly left: readonly string[]
}

/** Or in a sentence why it is none. Addresses of the site that was recorded become paths; others stay, and are checked where they are stored. */
export const readRecording = (given: unknown, domain: string): ReadRecording | string => {
  const parsed = Recording.safeParse(given)
  if (!parsed.success) return 'is no recording of Chrome DevTools: it has no list of steps with a type each'
  const first = parsed.data.steps.find(({ type }) => type === 'navigate')?.url
  const host = first === undefined ? null : (URL.parse(first)?.host ?? null)
  if (host === null) return 'does not begin with a page: record it from the address of the sign-in on'
  const left = new Set<string>()
  const steps = parsed.data.steps.flatMap((one): SignInStep[] => {
    const on = selectorsOf(one.selectors ?? [])
    if (one.type === 'navigate') return [{ do: 'goto', url: pathOf(one.url ?? '', domain) }]
    if ((one.type === 'click' || one.type === 'doubleClick') && on.length > 0) return [{ do: 'click', on }]
    if (one.type === 'change' && on.length > 0) return [{ do: 'fill', on, value: one.value ?? '' }]
    if (one.type === 'keyDown' && one.key !== undefined) return KEYS.has(one.key) ? [{ do: 'press', key: one.key }] : []
    if (one.type === 'waitForElement' && on.length > 0) return [{ do: 'wait', on }]
    if (!IGNORED.has(one.type)) left.add(one.type)
    return []
  })
  return { steps, left: [...left] }
}

/** What else is pressed is in the value of the field. */
const KEYS: ReadonlySet<string> = new Set(['Enter', 'Tab', 'Escape', ' '])

const pathOf = (url: string, domain: string): string => {
  const at = URL.parse(url)
  return at !== null && at.host === domain ? `${at.pathname}${at.search}` : url
}

/** A list within the list leads through shadow roots, which CSS looks through here. */
const selectorsOf = (selectors: readonly (string | readonly string[])[]): string[] =>
  selectors
    .flatMap((one) => {
      const parts = [one].flat()
      if (parts.length === 1) return parts
      return parts.some((part) => /^(?:aria|text|xpath)\//.test(part))
        ? []
        : [parts.map((part) => part.replace(/^pierce\//, '')).join(' ')]
    })
    .slice(0, 10)
