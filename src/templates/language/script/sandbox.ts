/**
 * Scripts of templates run in QuickJS, a JavaScript engine compiled to WebAssembly: a script reaches its own memory and
 * what it is lent, and nothing else. Memory, stack and computing are bounded; a call of what is lent may wait, and the
 * script with it. Each script has an instance of its own, since one instance can wait for one call only; its memory is
 * free when nobody holds it any more.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type {
  QuickJSAsyncContext,
  QuickJSAsyncVariant,
  QuickJSAsyncWASMModule,
  QuickJSHandle,
} from 'quickjs-emscripten-core'
import { inPageScript } from '../../../modules/in-page.ts'
import { ScriptAnswer, ScriptError } from './errors.ts'
import { readPlain, writePlain } from './plain.ts'

/** Bytes of an instance: 16 MiB that it begins with, and as much again for what a script makes. */
const MOST_MEMORY = 32 * 1024 * 1024
const PAGE = 64 * 1024
const MOST_STACK = 256 * 1024
/** The engine asks after about 10,000 loops, calls and steps of a pattern whether to go on. */
const MOST_ROUNDS = 60

/** What a script can reach. What these throw ends the script, but for `ScriptError`, which the script may catch. */
export interface Lent {
  readonly now: (name: string, args: readonly unknown[]) => unknown
  readonly ask: (name: string, args: readonly unknown[]) => Promise<unknown>
}

export interface Sandbox {
  /**
   * Value of the last expression, as plain data: functions fall away, octets become texts.
   * @throws ScriptError, ScriptAnswer, what `Lent` threw, and the reason of the signal
   */
  readonly run: (source: string) => Promise<unknown>
  /** What `main` of the sandbox says of the script's globals. @throws as `run` */
  readonly state: () => unknown
}

/**
 * `given` goes to `main` of `in-sandbox/main.ts`, which makes the globals.
 * @throws ScriptError, and what `Lent` threw
 */
export const openSandbox = async (given: unknown, lent: Lent, signal: AbortSignal): Promise<Sandbox> => {
  const engine = await newEngine()
  limitMemory(engine.getWasmMemory())
  const runtime = engine.newRuntime()
  let rounds = 0
  let fatal: { readonly reason: unknown } | null = null
  const fail = (reason: unknown): void => {
    fatal ??= { reason }
  }
  runtime.setMaxStackSize(MOST_STACK)
  runtime.setInterruptHandler(() => ++rounds > MOST_ROUNDS || signal.aborted || fatal !== null)
  const context = runtime.newContext()
  const settled = (result: Result): QuickJSHandle => {
    const thrown = result.error?.consume((handle) => context.dump(handle) as unknown)
    if (fatal === null && !signal.aborted && result.error === undefined) return result.value
    if (result.error === undefined) result.value.dispose()
    const ending = fatal
    fatal = null
    if (ending !== null) throw ending.reason
    signal.throwIfAborted()
    throw errorOf(thrown)
  }
  lend(context, lent, fail)
  const tools = settled(await context.evalCodeAsync(`(${inPageScript(MAIN)})(${writePlain(given)})`))
  const tool = (name: string, arg: QuickJSHandle): unknown => {
    const result = context.getProp(tools, name).consume((fn) => context.callFunction(fn, context.undefined, arg))
    return readPlain(settled(result).consume((text) => context.getString(text)))
  }
  return {
    run: async (source) => {
      signal.throwIfAborted()
      // In a block, so that what one script of a step declares is not in the way of the next.
      return settled(await context.evalCodeAsync(`{${source}\n}`)).consume((value) => tool('plain', value))
    },
    state: () => tool('state', context.undefined),
  }
}

type Result = Awaited<ReturnType<QuickJSAsyncContext['evalCodeAsync']>>

const MAIN = new URL('./in-sandbox/main.ts', import.meta.url)

/** The engine's own limit counts objects and not their size in WebAssembly, so growing is what is refused. */
const limitMemory = (memory: WebAssembly.Memory): void => {
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError('a script may not take more')
    return grow(pages)
  }
}

/** Compiled at the first script of the process; most runs have none. */
let compiled: Promise<() => Promise<QuickJSAsyncWASMModule>> | null = null

const newEngine = async (): Promise<QuickJSAsyncWASMModule> => {
  compiled ??= (async () => {
    const [core, module] = await Promise.all([
      import('quickjs-emscripten-core'),
      import('@jitl/quickjs-wasmfile-release-asyncify'),
    ])
    // Its types are those of a module of the older kind, which stands one level deeper.
    const variant = module.default as unknown as QuickJSAsyncVariant
    const file = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-asyncify/wasm'))
    const wasmModule = await WebAssembly.compile(await readFile(file))
    return () => core.newQuickJSAsyncWASMModuleFromVariant(core.newVariant(variant, { wasmModule }))
  })()
  return (await compiled)()
}

/** `$now` and `$ask`, which `main` takes away from the script: a name, arguments as JSON; the answer as JSON, too. */
const lend = (context: QuickJSAsyncContext, lent: Lent, fail: (reason: unknown) => void): void => {
  const refused = (error: unknown): string => {
    if (!(error instanceof ScriptError)) fail(error)
    const name = error instanceof ScriptAnswer ? 'Answer' : 'Refused'
    return writePlain({ thrown: { name, message: error instanceof Error ? error.message : String(error) } })
  }
  const read = (handle: QuickJSHandle): readonly unknown[] => readPlain(context.getString(handle)) as readonly unknown[]
  const now = context.newFunction('now', (name, args) => {
    let answer: string
    try {
      answer = writePlain({ value: lent.now(context.getString(name), read(args)) })
    } catch (error) {
      answer = refused(error)
    }
    return context.newString(answer)
  })
  const ask = context.newAsyncifiedFunction('ask', async (name, args) => {
    const answer = await lent.ask(context.getString(name), read(args)).then((value) => writePlain({ value }), refused)
    return context.newString(answer)
  })
  now.consume((handle) => context.setProp(context.global, '$now', handle))
  ask.consume((handle) => context.setProp(context.global, '$ask', handle))
}

/** What the engine or the script threw, which nobody in the script has caught. */
const errorOf = (thrown: unknown): ScriptError => {
  const { name, message } = typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>) : {}
  const text = typeof message === 'string' ? message.slice(0, 300) : String(thrown).slice(0, 300)
  if (name === 'InternalError' && text === 'interrupted') return new ScriptError('the script takes too many steps')
  if (name === 'InternalError' && /memory|too long/.test(text)) return new ScriptError('the script grew beyond 16 MiB')
  const lacks = /^(?:InternalError|SyntaxError|ReferenceError|RangeError|Refused)$/.test(String(name))
  return lacks || /not a (?:function|constructor)$/.test(text) ? new ScriptError(text) : new ScriptAnswer(text)
}
