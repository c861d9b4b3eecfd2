import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type SvgAnswer = { readonly png: Buffer } | { readonly problem: string }

const SECONDS = 10
const MAX_PNG_BYTES = 16 * 1024 ** 2

/**
 * Draws an SVG in a process of its own, which a drawing without end cannot outlive. Nothing outside the file is
 * loaded: references that are not its own fragments or embedded bitmaps are refused.
 */
export const svgToPng = async (file: Buffer, signal?: AbortSignal): Promise<SvgAnswer> => {
  const problem = outsideReference(file.toString('utf8'))
  return problem === null ? draw(file, signal) : { problem }
}

/** Entities could spell a reference that the search below does not see, so a file with a DOCTYPE is refused. */
const outsideReference = (svg: string): string | null => {
  if (svg.includes('\0')) return 'has a NUL character'
  if (/<!(?:DOCTYPE|ENTITY)/i.test(svg)) return 'has a DOCTYPE; remove it'
  if (/<\?xml-stylesheet/i.test(svg) || /@import/i.test(svg)) return 'loads a style sheet'
  const references = [...svg.matchAll(/(?:^|[\s:"'])href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(
    ([, double, single]) => double ?? single ?? '',
  )
  const quoted = [...svg.matchAll(/url\(\s*["']?([^)"']*)/gi)].map(([, address = '']) => address)
  const outside = [...references, ...quoted].find(
    (address) => !/^\s*#/.test(address) && !/^\s*data:image\/(?:png|jpeg|gif|webp);base64,/i.test(address),
  )
  return outside === undefined ? null : `refers to something outside itself: ${outside.trim().slice(0, 60)}`
}

const draw = (file: Buffer, signal?: AbortSignal): Promise<SvgAnswer> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=256', fileURLToPath(WORKER)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: SECONDS * 1000,
      killSignal: 'SIGKILL',
      env: {},
      ...(signal && { signal }),
    })
    const parts: Buffer[] = []
    let size = 0
    child.stdout.on('data', (part: Buffer) => {
      size += part.length
      if (size > MAX_PNG_BYTES) child.kill('SIGKILL')
      else parts.push(part)
    })
    // The child may end before it has read everything; its exit code says why.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? { png: Buffer.concat(parts) } : { problem: 'cannot be drawn' }))
    child.stdin.end(file)
  })

const WORKER = new URL('./svg-worker.ts', import.meta.url)
