/**
 * Spans of OpenTelemetry (OTLP). Where the process exports none (src/main/tracing.ts) they are made of nothing and cost next to
 * nothing. An attribute is an id, a name from the code, a number or the name of a domain: never a value that came from a target
 * or that somebody typed.
 */
import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = () => trace.getTracer('sonde')

/** A span that lasts as long as the work, within the one that is at work now; in error where the work rejects. */
export const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      // Its message may hold what nobody but the log may see.
      failed(span, error instanceof Error ? error.name : 'Error')
      throw error
    } finally {
      span.end()
    }
  })

/** Said of the span that is at work now. */
export const note = (attributes: Attributes): void => {
  trace.getActiveSpan()?.setAttributes(attributes)
}

const failed = (span: Span, type: string): void => {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type)
}

export interface Parts {
  /** Those that are at work now: new ones begin, and nothing ends by not being named. */
  readonly working: (names: readonly string[]) => void
  /** Ends one; unknown names are let by. */
  readonly ended: (name: string, attributes: Attributes) => void
  /** Ends what is left, as cut off. */
  readonly close: () => void
}

/** Spans of parts that work side by side within the span that is at work now, and are heard of from elsewhere. */
export const tracedParts = (kind: string): Parts => {
  const parent = context.active()
  const open = new Map<string, Span>()
  const over = new Set<string>()
  return {
    working: (names) => {
      for (const name of names) {
        if (open.has(name) || over.has(name)) continue
        open.set(name, tracer().startSpan(`${kind} ${name}`, {}, parent))
      }
    },
    ended: (name, attributes) => {
      over.add(name)
      open.get(name)?.setAttributes(attributes).end()
      open.delete(name)
    },
    close: () => {
      for (const span of open.values()) {
        failed(span, 'cut_off')
        span.end()
      }
      open.clear()
    },
  }
}

/** A request that is being answered, within `parent`. Null where nothing is exported. */
export interface Answered {
  readonly run: (work: () => void) => void
  readonly end: (name: string, attributes: Attributes, status: number) => void
}

export const tracedAnswer = (parent: Context): Answered | null => {
  const span = tracer().startSpan('request', { kind: SpanKind.SERVER }, parent)
  if (!span.isRecording()) return null
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (name, attributes, status) => {
      span.updateName(name).setAttributes(attributes)
      if (status >= 500) failed(span, String(status))
      span.end()
    },
  }
}
