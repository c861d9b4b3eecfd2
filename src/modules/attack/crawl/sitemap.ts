/** Addresses in sitemaps (sitemaps.org 0.9, plain text and gzip too) and in robots.txt. */
import { gunzipSync } from 'node:zlib'

const MAX_LOCATIONS = 10_000
const MAX_UNPACKED = 16 * 1024 * 1024

export interface Sitemap {
  /** Pages. */
  readonly urls: readonly string[]
  /** Further sitemaps. */
  readonly sitemaps: readonly string[]
}

export const readSitemap = (body: Buffer): Sitemap => {
  const text = unpacked(body)
  const locations = [...text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]{1,2000})/gi)]
    .slice(0, MAX_LOCATIONS)
    .map((match) => unescaped(match[1] ?? ''))
  if (/<sitemapindex[\s>]/i.test(text)) return { urls: [], sitemaps: locations }
  if (/<urlset[\s>]/i.test(text)) return { urls: locations, sitemaps: [] }
  const lines = text.split(/\r?\n/, MAX_LOCATIONS).map((line) => line.trim())
  return { urls: lines.filter((line) => /^https?:\/\/\S+$/i.test(line)), sitemaps: [] }
}

export interface Robots {
  /** Paths without wildcards that some robot is told about. */
  readonly paths: readonly string[]
  readonly sitemaps: readonly string[]
}

export const readRobots = (text: string): Robots => {
  const paths: string[] = []
  const sitemaps: string[] = []
  for (const line of text.slice(0, 500_000).split(/\r?\n/, 5_000)) {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#\s]+)/.exec(line) ?? []
    if (/^sitemap$/i.test(name)) sitemaps.push(value)
    else if (/^(?:dis)?allow$/i.test(name) && /^\/[^*$]+\$?$/.test(value)) paths.push(value.replace(/\$$/, ''))
  }
  return { paths: [...new Set(paths)].slice(0, 200), sitemaps: sitemaps.slice(0, 10) }
}

const unpacked = (body: Buffer): string => {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body.toString('utf8')
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED }).toString('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '' // Broken, or larger than any real one: no addresses.
    throw error
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_whole, name: string) => ENTITIES[name] ?? '')
