/** A template of the catalogue against a product of `cases.ts`, as it was and as it is mended. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseTemplate } from '../../src/templates/language/parse/template.ts'
import type { Template } from '../../src/templates/language/template.ts'
import { runCase, serveTemplateCase } from '../../src/templates/run/testing/template-case.ts'
import { type Ask, html, type Product, type Truth } from './products.ts'

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // What is no escape stays as it is; the others are read all the same.
    return text.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}
const deeply = (text: string): string => {
  let now = text
  for (let times = 0; times < 4; times += 1) now = decoded(now)
  return now
}

const askOf = (
  method: string,
  raw: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): Ask => {
  const [path = '', ...query] = raw.split('?')
  return {
    ...{ method, raw, body, path: decoded(path), deep: deeply(path) },
    query: new URLSearchParams(query.join('?')),
    form: new URLSearchParams(body),
    header: (name) => [headers[name] ?? ''].flat().join(', '),
  }
}

/** By id, which is the name of the file. */
export const templateFiles = (folder: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const kind of ['http', 'network', 'javascript'])
    for (const entry of readdirSync(join(folder, kind), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name.endsWith('.yaml'))
        files.set(entry.name.replace('.yaml', ''), join(entry.parentPath, entry.name))
  return files
}

export interface Outcome {
  readonly id: string
  readonly vulnerable: boolean
  readonly patched: boolean
  /** Why it could not be run; null where it was. */
  readonly left: string | null
}

export const runTruths = async (
  folder: string,
  address: string,
  truths: readonly Truth[],
): Promise<readonly Outcome[]> => {
  const files = templateFiles(folder)
  const outcomes: Outcome[] = []
  for (const truth of truths) {
    const template = templateAt(folder, files.get(truth.id))
    if (typeof template === 'string') {
      outcomes.push({ id: truth.id, vulnerable: false, patched: false, left: template })
      continue
    }
    const fires = async (product: Product): Promise<boolean> => (await hitsOf(address, template, product)) > 0
    outcomes.push({
      id: truth.id,
      ...{ vulnerable: await fires(truth.vulnerable), patched: await fires(truth.patched ?? (() => null)), left: null },
    })
  }
  return outcomes
}

/** A text says why there is none. */
export const templateAt = (folder: string, path: string | undefined): Template | string => {
  if (path === undefined) return 'the catalogue has no such template'
  const parsed = parseTemplate(readFileSync(path, 'utf8'), relative(folder, path), (file) => {
    const list = join(folder, file)
    return existsSync(list) ? readFileSync(list, 'utf8').split('\n') : null
  })
  return parsed.kind === 'template' ? parsed.template : JSON.stringify(parsed).slice(0, 200)
}

const hitsOf = async (address: string, template: Template, product: Product): Promise<number> => {
  const served = await serveTemplateCase(address, (request, response, body) => {
    const ask = askOf(request.method ?? 'GET', request.url ?? '/', request.headers, body)
    const {
      status = 200,
      type,
      headers = {},
      body: text = '',
    } = product(ask) ?? html('<h1>Not Found</h1>', { status: 404 })
    response.writeHead(status, { ...(type ? { 'Content-Type': type } : {}), ...headers }).end(text)
  })
  try {
    const { hits } = await runCase(template, { address, port: served.port })
    return hits.length
  } finally {
    await served.close()
  }
}
