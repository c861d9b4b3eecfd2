/** Traces of this process over OTLP, where the operator names a collector. */
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { VERSION } from './version.ts'

export interface Tracing {
  /** Sends what is left, and waits for it no longer than `LAST_WORDS`. Never rejects. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that a collector has for one batch, and for the last one. */
const PATIENCE = 5_000
const LAST_WORDS = 3_000
/** Spans that wait for a collector which does not answer; what comes beyond is dropped. */
const WAITING = 4_096

/** `service` is the `service.name` of the traces. Without a collector nothing is loaded and nothing is sent. */
export const startTracing = async (
  { otlp }: Pick<Config, 'otlp'>,
  service: 'sonde' | 'sonde-worker' | 'sonde-agent',
  logger: Logger,
): Promise<Tracing> => {
  const { collector, headers, ratio } = otlp
  if (collector === null) return { stop: async () => undefined }
  const [{ OTLPTraceExporter }, sdk, { resourceFromAttributes }, { W3CTraceContextPropagator }, hooks] =
    await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
      import('@opentelemetry/context-async-hooks'),
    ])
  const exporter = new OTLPTraceExporter({
    url: `${collector.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: PATIENCE,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': VERSION }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize: WAITING, exportTimeoutMillis: PATIENCE })],
  })
  tellTroubles(logger)
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    stop: async () => {
      const last = provider.shutdown().catch((error: unknown) => {
        logger.warn({ err: error }, 'the last traces could not be sent')
      })
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, LAST_WORDS)
      await Promise.race([last, patience.promise])
      clearTimeout(timer)
      for (const part of [trace, propagation, context, diag]) part.disable()
    },
  }
}

/** Once until something else is said: a collector that is away is said to be so again at each batch. */
const tellTroubles = (logger: Logger): void => {
  let last = ''
  const tell = (message: string): void => {
    if (message !== last) logger.warn({ reason: message.slice(0, 500) }, 'traces cannot be sent')
    last = message
  }
  const silent = (): void => undefined
  diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
