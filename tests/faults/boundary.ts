/** Faults at the boundaries of a module: everything it is handed is wrapped, and at one call of one thing the fault happens. */
import type { AnyCheck, AnyModule } from '../../src/modules/any-module.ts'
import type { CollectContext } from '../../src/modules/module.ts'

export const EGRESS = ['resolve', 'http', 'connect', 'sweep', 'tls', 'dns', 'datagram', 'browserProxy'] as const
export const BOUNDARIES = [
  ...EGRESS,
  'browser',
  'context',
  'page',
  'issue',
  'hits',
  'evidence',
  'progress',
  'facts',
  'judge',
  'finding',
  'tables',
  'grade',
] as const
export type Boundary = (typeof BOUNDARIES)[number]

export const KINDS = [
  'throw',
  'reject',
  'stray',
  'forgotten',
  'late-error',
  'hang',
  'garbage',
  'nothing',
  'half',
  'EMFILE',
  'ENETUNREACH',
  'ENOSPC',
  'memory',
  'gone',
] as const
export type Kind = (typeof KINDS)[number]

export interface Fault {
  readonly module: string
  readonly boundary: Boundary
  readonly kind: Kind
  /** At which call it begins, from 1; it happens at every call from then on, but for what strays, which does once. */
  readonly at: number
}

export const nameOf = ({ module, boundary, kind, at }: Fault): string => `${module} ${boundary}#${at} ${kind}`

/** Kinds that make sense for each boundary: what is not waited for cannot hang, and only a browser can be gone. */
const SYSTEM: readonly Kind[] = ['EMFILE', 'ENETUNREACH', 'ENOSPC', 'memory']
const ASKED: readonly Kind[] = [
  'throw',
  'reject',
  'stray',
  'forgotten',
  'hang',
  'garbage',
  'nothing',
  'half',
  ...SYSTEM,
]
const KINDS_OF: Readonly<Record<Boundary, readonly Kind[]>> = {
  resolve: ASKED,
  http: ASKED,
  connect: [...ASKED, 'late-error'],
  sweep: ASKED,
  tls: ASKED,
  dns: ASKED,
  datagram: ASKED,
  browserProxy: ['reject', 'EMFILE', 'memory', 'stray'],
  browser: ['throw', 'reject', 'garbage', 'gone', 'EMFILE', 'memory', 'stray'],
  context: ['reject', 'gone', 'garbage', 'stray'],
  page: ['reject', 'gone', 'forgotten'],
  issue: ['throw', 'garbage', 'nothing'],
  hits: ['reject', 'hang', 'garbage', 'nothing'],
  evidence: ['throw', 'stray', 'garbage', 'nothing', 'ENOSPC', 'memory'],
  progress: ['throw', 'stray', 'forgotten'],
  facts: ['reject', 'stray', 'hang', 'garbage', 'nothing', 'half', 'memory'],
  judge: ['throw', 'garbage', 'nothing', 'memory'],
  finding: ['throw', 'garbage', 'nothing', 'half'],
  tables: ['throw', 'garbage', 'nothing'],
  grade: ['throw', 'garbage'],
}
export const kindsOf = (boundary: Boundary): readonly Kind[] => KINDS_OF[boundary]

/** Tells that the call was reached. */
export type Reached = () => void

/** The module without a fault; `crossed` hears of every call over one of its boundaries. */
export const watched = (module: AnyModule, crossed: (boundary: Boundary) => void): AnyModule =>
  withFault(module, { module: module.id, boundary: 'facts', kind: 'throw', at: Infinity }, () => undefined, crossed)

/** The module with the fault in it. What the module is handed is real and stays so up to the fault. */
export const withFault = (
  module: AnyModule,
  fault: Fault,
  reached: Reached,
  crossed: (boundary: Boundary) => void = () => undefined,
): AnyModule => {
  let calls = 0
  let strayed = false
  const struck = <Value>(boundary: Boundary, real: () => Value, isSync = false): Value => {
    crossed(boundary)
    if (boundary !== fault.boundary) return real()
    calls += 1
    const once = fault.kind === 'stray' || fault.kind === 'forgotten'
    if (calls < fault.at || (once && strayed)) return real()
    strayed = true
    reached()
    return happen(fault.kind, real, isSync)
  }
  const wrapped = (ctx: CollectContext): CollectContext => ({
    ...ctx,
    egress: {
      ...ctx.egress,
      ...Object.fromEntries(
        EGRESS.map((name) => [
          name,
          (argument: never) => struck(name, () => (ctx.egress[name] as (of: never) => Promise<unknown>)(argument)),
        ]),
      ),
    },
    ...(ctx.outOfBand
      ? {
          outOfBand: {
            issue: (kind) => struck('issue', () => ctx.outOfBand?.issue(kind) as never, true),
            hits: (...of) => struck('hits', () => ctx.outOfBand?.hits(...of) as never),
          },
        }
      : {}),
    browser: () => struck('browser', () => browserOf(ctx)),
    evidence: (file) => struck('evidence', () => ctx.evidence(file), true),
    progress: (detail, fraction) => struck('progress', () => ctx.progress(detail, fraction), true),
  })
  /** Real, with contexts and pages that may be struck. */
  const browserOf = async (ctx: CollectContext) => {
    const browser = await ctx.browser()
    return {
      ...browser,
      newContext: (options?: Parameters<typeof browser.newContext>[0]) =>
        struck('context', async () => {
          const context = await browser.newContext(options)
          const newPage = context.newPage.bind(context)
          context.newPage = () => struck('page', newPage)
          return context
        }),
    }
  }
  const check = (one: AnyCheck): AnyCheck => ({
    ...one,
    judge: (facts, known, about) => {
      const judgement = struck('judge', () => one.judge(facts, known, about), true)
      if (fault.boundary !== 'finding' || typeof judgement !== 'object' || judgement === null) return judgement
      const findings = Array.isArray(judgement) ? judgement : ((judgement as { findings?: unknown[] }).findings ?? [])
      const changed = findings.map((finding) => struck('finding', () => finding, true))
      return (Array.isArray(judgement) ? changed : { ...judgement, findings: changed }) as never
    },
  })
  return {
    ...module,
    // A module that hangs is waited for as long as its budget says.
    budget: fault.kind === 'hang' ? { ...module.budget, seconds: HANG_SECONDS } : module.budget,
    collect: (ctx, known) => struck('facts', () => module.collect(wrapped(ctx), known)),
    checks: module.checks.map(check),
    ...(module.tables ? { tables: (facts) => struck('tables', () => module.tables?.(facts) ?? [], true) } : {}),
    ...(module.grade
      ? { grade: (facts, known) => struck('grade', () => module.grade?.(facts, known) ?? null, true) }
      : {}),
  }
}

const HANG_SECONDS = 6

const error = (kind: Kind): Error => {
  switch (kind) {
    case 'EMFILE':
      return Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', errno: -24, syscall: 'socket' })
    case 'ENETUNREACH':
      return Object.assign(new Error('connect ENETUNREACH 2001:db8::1:443'), { code: 'ENETUNREACH', errno: -101 })
    case 'ENOSPC':
      return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
    case 'memory':
      return new RangeError('Array buffer allocation failed')
    default:
      return new TypeError(`a fault that was put here (${kind})`)
  }
}

/** A circle with what neither JSON nor a database takes. */
const garbage = (): unknown => {
  const circle: Record<string, unknown> = { length: -1, status: 'two hundred', body: 12n, headers: 7, answers: 'none' }
  circle.self = circle
  return circle
}

const happen = <Value>(kind: Kind, real: () => Value, isSync: boolean): Value => {
  const answered = (value: unknown): Value => (isSync ? value : Promise.resolve(value)) as Value
  switch (kind) {
    case 'stray':
      setTimeout(() => {
        throw error(kind)
      }, 5)
      return real()
    case 'forgotten':
      void Promise.reject(error(kind))
      return real()
    case 'hang':
      return new Promise(() => undefined) as Value
    case 'garbage':
      return answered(garbage())
    case 'nothing':
      return answered(null)
    case 'half':
      return isSync ? (halfOf(real()) as Value) : (Promise.resolve(real()).then(halfOf) as Value)
    case 'late-error':
      return Promise.resolve(real()).then((stream) => {
        // Of a connection that the module holds already; nobody listens for it.
        const { destroy } = stream as { destroy: (error: Error) => void }
        setTimeout(() => destroy.call(stream, error(kind)), 5)
        return stream
      }) as Value
    case 'gone':
      return Promise.resolve(real()).then((opened) => {
        void (opened as { close: () => Promise<void> }).close()
        return opened
      }) as Value
    case 'throw':
      throw error(kind)
    default:
      if (isSync) throw error(kind)
      return Promise.reject(error(kind)) as Value
  }
}

/** Every second member is missing, every text and list ends half way. */
const halfOf = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return value.subarray(0, value.length >> 1)
  if (Array.isArray(value)) return value.slice(0, value.length >> 1)
  if (typeof value === 'string') return value.slice(0, value.length >> 1)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter((_, index) => index % 2 === 0)
      .map(([key, inner]) => [key, halfOf(inner)]),
  )
}
