import type { FactTable } from '../../../contract/findings-file.ts'
import { parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import { overCrawl } from '../../documents.ts'
import { defineModule } from '../../module.ts'
import { withoutWebsite } from '../site/facts-absent.ts'
import { observeCookies } from './collect.ts'
import type { CookiesFacts } from './facts.ts'
import { flags } from './flags.ts'
import { form } from './form.ts'
import { lifetime } from './lifetime.ts'
import { nameOf } from './observed.ts'
import { scope } from './scope.ts'
import { tokens } from './tokens.ts'
import { watchCookies } from './watch.ts'

/** Each cookie once, as the server sets it. */
const tables = ({ observations }: CookiesFacts): readonly FactTable[] => {
  const rows = new Map<string, string[]>()
  for (const { url, line } of observations) {
    const cookie = parseSetCookie(line)
    if (cookie === null) continue
    const { secure, httpOnly, sameSite, domain, path, maxAge, expires } = cookie
    const name = nameOf(cookie)
    const lifetime =
      maxAge !== null ? `${maxAge} s` : expires === null ? 'browser session' : new Date(expires).toISOString()
    const site = sameSite.kind === 'unknown' ? `unknown (${sameSite.value.slice(0, 40)})` : sameSite.kind
    const row = [
      name,
      secure ? 'yes' : 'no',
      httpOnly ? 'yes' : 'no',
      site,
      domain ?? '(host only)',
      path ?? '(default)',
      lifetime,
    ]
    if (!rows.has(name)) rows.set(name, [...row, url])
  }
  const columns = ['Cookie', 'Secure', 'HttpOnly', 'SameSite', 'Domain', 'Path', 'Lifetime', 'First set by']
  return rows.size === 0
    ? []
    : [
        {
          id: 'cookies',
          module: 'cookies',
          title: 'Cookies set by the server',
          columns,
          rows: [...rows.values()].slice(0, 200),
        },
      ]
}

export const cookies = defineModule<'cookies', 'site'>({
  id: 'cookies',
  title: 'Cookies and tokens',
  conduct: 'passive',
  needs: ['site'],
  unless: withoutWebsite,
  budget: { requests: 0, seconds: 20 },
  collect: async ({ session, ownCookies = [] }, { site }) => ({
    ...observeCookies(site),
    ...(session?.account === undefined || ownCookies.length === 0 ? {} : { ofSignIn: ownCookies }),
  }),
  watch: watchCookies,
  checks: [...[flags, scope, lifetime, form].map(overCrawl), overCrawl(tokens)],
  tables,
})
