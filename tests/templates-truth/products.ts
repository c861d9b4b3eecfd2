/**
 * What a product does with a request, before and after its fix: told from advisories, without a look at any template. Files and commands
 * are answered by their meaning, not by one spelling, as the product would.
 */
export interface Ask {
  readonly method: string
  /** As it was sent, with the query. */
  readonly raw: string
  /** Before the query, percent-decoded once, and as often as it goes. */
  readonly path: string
  readonly deep: string
  readonly query: URLSearchParams
  readonly header: (name: string) => string
  readonly body: string
  readonly form: URLSearchParams
}
export interface Reply {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
/** Null: the product's own page for what is not there. */
export type Product = (ask: Ask) => Reply | null
export interface Truth {
  readonly id: string
  readonly product: string
  readonly vulnerable: Product
  /** Absent: it answers nothing of the kind. */
  readonly patched?: Product
}

export const PASSWD = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
bin:x:2:2:bin:/bin:/usr/sbin/nologin
www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`
export const SHADOW = `root:$6$kqz7ZcXv$0s1JmV2YyE4b:19000:0:99999:7:::
admin:$1$Qm3yTz$2cHy5yG7oUO3u8uQn5l4v1:19000:0:99999:8:::
`
export const WIN_INI = `; for 16-bit app support
[fonts]
[extensions]
[mci extensions]
[files]
[Mail]
MAPI=1
`
export const text = (body: string, more: Omit<Reply, 'body'> = {}): Reply => ({ type: 'text/plain', body, ...more })
export const html = (body: string, more: Omit<Reply, 'body'> = {}): Reply => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html><head><title>Page</title></head><body>${body}</body></html>`,
  ...more,
})
export const json = (value: unknown, more: Omit<Reply, 'body'> = {}): Reply => ({
  type: 'application/json',
  body: JSON.stringify(value),
  ...more,
})
export const xml = (body: string, more: Omit<Reply, 'body'> = {}): Reply => ({ type: 'text/xml', body, ...more })

/** The file that an address or value names, whatever leads to it. */
export const fileOf = (path: string): Reply | null => {
  const plain = path.replaceAll('\\', '/')
  if (/\/etc\/passwd\b/.test(plain)) return text(PASSWD)
  if (/\/etc\/shadow\b/.test(plain)) return text(SHADOW)
  if (/\/(?:windows|winnt)\/win\.ini\b/i.test(plain)) return text(WIN_INI)
  return null
}
export const climbs = (path: string): boolean => /\.\.[\\/;]/.test(path)

const ID = 'uid=0(root) gid=0(root) groups=0(root)'
/** The few commands that a question without harm consists of. */
export const shell = (command: string): string => {
  const line = command
    .replaceAll(/\$\{?IFS\}?(?:\$9)?/g, ' ')
    .replaceAll(/['"`]/g, '')
    .trim()
  const said = /\becho\s+(?:-n\s+)?([\w.-]+)(\s*\|\s*rev)?/.exec(line)
  if (/\bcat\s+[./]*\/?etc\/passwd/.test(line) || /type\s+\S*passwd/.test(line)) return PASSWD
  if (said?.[1]) return `${said[2] ? [...said[1]].reverse().join('') : said[1]}\n`
  const sum = /expr\s+(\d+)\s*(\\?\*|\+)\s*(\d+)/.exec(line)
  if (sum) return `${sum[2] === '+' ? Number(sum[1]) + Number(sum[3]) : Number(sum[1]) * Number(sum[3])}\n`
  return /\b(?:id|whoami)\b/.test(line) ? `${ID}\n` : ''
}
/** PHP as far as a proof needs it. */
export const php = (code: string, md5: (text: string) => string): string => {
  const hashed = /(?:echo|print|die)\s*\(?\s*md5\(\s*['"]?([^'")]+)['"]?\s*\)/.exec(code)?.[1]
  if (hashed !== undefined) return md5(hashed)
  const called = /(?:shell_exec|system|passthru|exec)\(\s*["']([^"']+)["']/.exec(code)?.[1]
  if (called !== undefined) return shell(called)
  if (/phpinfo\(/.test(code)) return PHPINFO
  return /(?:echo|print|die)\s*\(?\s*['"]([^'"]+)['"]/.exec(code)?.[1] ?? ''
}
export const PHPINFO =
  '<!DOCTYPE html><html><head><title>PHP 7.4.3 - phpinfo()</title></head><body><h1 class="p">PHP Version 7.4.3</h1><table><tr><td class="e">System </td><td class="v">Linux shop 5.10</td></tr><tr><td class="e">PHP Extension </td><td class="v">20190902 </td></tr></table></body></html>'

const arithmetic = (text: string): string => {
  const sum = /(\d{1,9})\s*([*+])\s*(\d{1,9})/.exec(text)
  if (!sum) return ''
  return String(sum[2] === '*' ? BigInt(sum[1] ?? 0) * BigInt(sum[3] ?? 0) : BigInt(sum[1] ?? 0) + BigInt(sum[3] ?? 0))
}

export { arithmetic }
