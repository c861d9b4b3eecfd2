/**
 * The first file of a built scan process, in CommonJS: loads the others with what V8 has compiled of them in an earlier run. Node's own
 * cache (NODE_COMPILE_CACHE) has each file as it was before it ran, without the functions that were called; of those a run compiles a
 * thousand. They lie in the same folder, one file for a build and the flags of V8, which takes no code of another.
 *
 * Beside Node's own modules this knows nothing: it is copied into the build as it stands, without its types.
 */
const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } =
  process.getBuiltinModule('node:fs')
const { isAscii } = process.getBuiltinModule('node:buffer')
const { createRequire } = process.getBuiltinModule('node:module')
const { basename, dirname, join } = process.getBuiltinModule('node:path')
const { cachedDataVersionTag } = process.getBuiltinModule('node:v8')
const { constants, Script } = process.getBuiltinModule('node:vm')
const { crc32 } = process.getBuiltinModule('node:zlib')

const BEFORE = '(function (exports, require, module, __filename, __dirname) {'
const MAIN = './scan.cjs'
/** The driver of browsers, of which the build has the texts as it loads them: it has another name where the lockfile has another driver. */
const DRIVER = /[\\/]playwright-core[\\/]lib[\\/](?:core|utils)Bundle\.js$/
/** Files of other builds and flags that are left when one is written. */
const MOST_OTHERS = 3

const cache = process.env.NODE_COMPILE_CACHE
const tag = cachedDataVersionTag()
const folder = cache === undefined ? null : join(cache, 'scan')
const file = folder === null ? null : join(folder, `${basename(__dirname)}-${tag}`)

/** Null where there is none, or another build has just put it away; what cannot be read is said, as nothing else fails by it. */
const bytesOf = (path: string): Buffer | null => {
  try {
    return existsSync(path) ? readFileSync(path) : null
  } catch (error) {
    console.error(
      `what was compiled for earlier runs cannot be read: ${error instanceof Error ? error.message : error}`,
    )
    return null
  }
}

/** Name of a built file → what V8 has compiled of it. None where the file is not whole. */
const readKept = (): ReadonlyMap<string, Buffer> => {
  const bytes = file === null ? null : bytesOf(file)
  if (bytes === null) return new Map()
  const end = bytes.indexOf('\n')
  const body = bytes.subarray(end + 1)
  const head = /^(\d+)((?: [\w.-]+=\d+)+)$/.exec(bytes.toString('latin1', 0, Math.max(0, end)))
  if (head === null || Number(head[1]) !== crc32(body)) return new Map()
  let at = 0
  return new Map(
    (head[2] ?? '')
      .trim()
      .split(' ')
      .map((part): [string, Buffer] => {
        const [name = '', length = ''] = part.split('=')
        at += Number(length)
        return [name, body.subarray(at - Number(length), at)]
      }),
  )
}

/** What has no other characters is copied as it is. */
const textOf = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'))

const kept = readKept()
const scripts = new Map<string, InstanceType<typeof Script>>()
let taken = kept.size > 0

/** Runs a file, or the `text` that stands for it, with what was kept of it, and notes it for the next. */
const load = (module: NodeJS.Module, path: string, asked: unknown, text = path): void => {
  const cachedData = kept.get(basename(path))
  const script = new Script(`${BEFORE}${textOf(readFileSync(text))}\n})`, {
    filename: path,
    columnOffset: -BEFORE.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  // What is loaded later may meet other flags, under which nothing is kept.
  if (script.cachedDataRejected === true && cachedDataVersionTag() === tag) taken = false
  scripts.set(basename(path), script)
  script.runInThisContext().call(module.exports, module.exports, asked, module, path, dirname(path))
}

const ordinary = require.extensions['.js']
require.extensions['.cjs'] = (module: NodeJS.Module, path: string): void => {
  if (dirname(path) !== __dirname) {
    ordinary?.(module, path)
    return
  }
  load(module, path, (name: string): unknown => {
    const loaded = name.startsWith('./') ? require.cache[join(__dirname, name)] : undefined
    return loaded === undefined ? module.require(name) : loaded.exports
  })
}
require.extensions['.js'] = (module: NodeJS.Module, path: string): void => {
  if (!DRIVER.test(path)) {
    ordinary?.(module, path)
    return
  }
  const built = join(__dirname, basename(path))
  load(module, path, createRequire(path), existsSync(built) ? built : path)
}

/**
 * Keeps what is compiled by now, unless all of it was there already: a run with a browser has files that those without have not, and knows what
 * was kept by one. Not under other flags than those of the start.
 */
const keep = (): void => {
  const known = taken && [...scripts.keys()].every((name) => kept.has(name))
  if (folder === null || file === null || known || cachedDataVersionTag() !== tag) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const parts: { readonly name: string; readonly data: Buffer }[] = [...scripts].map(([name, script]) => ({
    name,
    data: script.createCachedData(),
  }))
  // Of files that this run had no use for.
  if (taken) for (const [name, data] of kept) if (!scripts.has(name)) parts.push({ name, data })
  const body = Buffer.concat(parts.map(({ data }) => data))
  const head = `${crc32(body)}${parts.map(({ name, data }) => ` ${name}=${data.length}`).join('')}\n`
  const making = `${file}.${process.pid}`
  writeFileSync(making, Buffer.concat([Buffer.from(head), body]), { mode: 0o600 })
  renameSync(making, file)
  const age = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const others = readdirSync(folder).filter((name) => name !== basename(file))
  for (const name of others.sort((a, b) => age(b) - age(a)).slice(MOST_OTHERS))
    rmSync(join(folder, name), { force: true })
}

// The name by which engine/kept-code.ts asks for it.
Object.assign(globalThis, { [Symbol.for('sonde.keepCode')]: keep })
require(MAIN)
