/** Values that are objects of a language, written out. */

/**
 * In base64: protocols 2 to 5 up to the full stop at their end, or the beginnings of protocol 0; as it is, where the bytes beyond
 * ASCII may have been lost on the way (pickletools.py of CPython).
 */
const PICKLE =
  /^(?:gA[SJ]V|gA[I-X][\w+/-]+(?:Lg|[CSiy]4|[AEIMQUYcgkosw048]u)={0,2}$|KGRwM|Y29we|Y3Bvc2l4|[\p{Cc}\uFFFD]\p{Cc}[\s\S]*\.$|\([dl]p\d+\n|c[a-z_.]+\n\w+\n)/u

/** Beginnings of values that are objects of a language, written out. */
export const SERIALIZED: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['Java object', /^(?:rO0AB|aced0005)/],
  ['PHP object', /^(?:Tzo[xyz0-9](?:Oi|[MN][DTjz])|O:\d{1,3}:"[\w\\]+":\d+:\{|a:\d+:\{.*O:\d{1,3}:")/],
  ['PHP array', /^(?:YTo[w-z0-5](?:On|[MNOD])|a:\d{1,5}:\{(?:[isbdaO]:|\}))/],
  ['.NET BinaryFormatter object', /^AAEAAAD\/{5}/],
  ['Python pickle', PICKLE],
  ['Ruby Marshal object', /^BAh[bvu7JIi]/],
  ['JSON that names a class', /^\s*\{\s*"(?:\$type|@type|@class)"\s*:\s*"[\w.$+]+[.$][\w.$+, =]+"/],
  ['YAML that names a class', /^\s*!!(?:python\/|ruby\/|[a-z]+\.[a-z]+\.)/],
  ['XMLDecoder document', /^\s*(?:<\?xml[^>]*\?>\s*)?<java\s[^>]*class="java\.beans\.XMLDecoder"/],
  ['Node.js serialised function', /_\$\$ND_FUNC\$\$_/],
]

/** Digests in hexadecimal (ActiveSupport::MessageVerifier, Rack::Session::Cookie), or moment and digest (django.core.signing, itsdangerous). */
const SIGNED = /--[\da-f]{40,128}$|[:.][\w-]{6,8}[:.][\w-]{27,86}$/i

/** The object that a value begins like, which visitors can change; null where it is none, or carries its program's signature. */
export const formatOf = (value: string): string | null => {
  const format = SERIALIZED.find(([, pattern]) => pattern.test(value))?.[0]
  return format === undefined || SIGNED.test(value.trimEnd()) ? null : format
}

/** What is read by a program, however random it looks. */
export const isSerialized = (value: string): boolean => SERIALIZED.some(([, pattern]) => pattern.test(value))
